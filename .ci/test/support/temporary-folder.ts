import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Jest's environment removes them, after the last hook of the file: until then something may write there. */
const made = ((globalThis as Record<symbol, unknown>)[Symbol.for('toolwright.folders')] ??= []) as string[];

/** Makes a folder, which is gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-')));
  made.push(folder);
  return folder;
}
