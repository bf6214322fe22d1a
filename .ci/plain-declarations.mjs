// `.ci/bundle.mjs` leads declarations in `dist` to copies of what a private package declares. The compiler knows no
// source of such a copy, and TypeScript 7 does not find it in another project. So the declarations that the compiler has
// written are kept, and it finds them again at the next build, with their times: what did not change is not compiled.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folderIn = (root) => join(root, 'node_modules/.cache/toolwright-declarations');

/** Keeps a declaration that is about to be changed to `changed`. */
export async function keepPlain(root, file, changed) {
  const folder = folderIn(root);
  await mkdir(folder, { recursive: true });
  const record = join(folder, `${createHash('sha256').update(file).digest('hex')}.json`);
  const [plain, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  await writeFile(record, JSON.stringify({ file, plain, mtimeMs, changed }));
}

/** Puts back each declaration that has been kept, unless a compiler has written another one in its place. */
export async function restorePlain(root) {
  const folder = folderIn(root);
  for (const name of await readdir(folder).catch(() => [])) {
    const { file, plain, changed, mtimeMs } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    if ((await readFile(file, 'utf8').catch(() => undefined)) === changed) {
      await writeFile(file, plain);
      await utimes(file, mtimeMs / 1000, mtimeMs / 1000);
    }
    await rm(join(folder, name));
  }
}
