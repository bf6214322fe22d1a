import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with the given files in it, until the end of each test. A name with a slash at its end is a folder. */
export function temporaryFolder(files: Record<string, string>): () => string {
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-safe-')));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(base, name, name.endsWith('/') ? '.' : '..'), { recursive: true });
      if (!name.endsWith('/')) await writeFile(join(base, name), text);
    }
  });
  afterEach(() => rm(base, { recursive: true }));
  return () => base;
}
