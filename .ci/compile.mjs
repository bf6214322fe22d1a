// Compiles every package and app, as `tsc -b` does, with TypeScript 7, which needs a fifth of the time of 5.9:
//   node .ci/compile.mjs            words such as --force or --watch go to the compiler
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restorePlain } from './plain-declarations.mjs';

const MAP = '.d.ts.map';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(root, 'packages/cli/node_modules/typescript-7/bin/tsc');

await restorePlain(root);
await removeOrphans();
const { status } = spawnSync(process.execPath, [compiler, '-b', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** The compiler leaves what it made of a source that is gone. It would be published, and name what is gone, too. */
async function removeOrphans() {
  for (const name of await readdir(join(root, 'packages'))) {
    const dist = join(root, 'packages', name, 'dist');
    const files = existsSync(dist) ? await readdir(dist, { recursive: true }) : [];
    await Promise.all(
      files.filter((file) => file.endsWith(MAP)).map((file) => removeOrphan(join(dist, file))),
    );
  }
}

async function removeOrphan(file) {
  const { sources } = JSON.parse(await readFile(file, 'utf8'));
  if (sources.every((source) => existsSync(join(dirname(file), source)))) return;
  const output = file.slice(0, -MAP.length);
  await Promise.all([MAP, '.d.ts', '.js', '.js.map'].map((end) => rm(output + end, { force: true })));
}
