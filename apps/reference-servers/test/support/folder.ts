import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with the given files until the end of each test. A name with a slash at its end is a folder. */
export function temporaryFolder(files: Record<string, string | Uint8Array> = {}): () => string {
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-reference-')));
    await fill(base, files);
  });
  afterEach(() => rm(base, { recursive: true }));
  return () => base;
}

export async function fill(base: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, data] of Object.entries(files)) {
    await mkdir(join(base, name, name.endsWith('/') ? '.' : '..'), { recursive: true });
    if (!name.endsWith('/')) await writeFile(join(base, name), data);
  }
}

/** Every file below a folder with its text; a folder has none. */
export async function contentsOf(base: string): Promise<Record<string, string | null>> {
  const names = (await readdir(base, { recursive: true })).sort();
  const read = async (name: string) => {
    const path = join(base, name);
    return [name, (await stat(path)).isFile() ? await readFile(path, 'utf8') : null] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}
