import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * Puts a file with this text in the place of whatever has this name: a link is replaced, and not followed. A reader
 * sees the old file or the new one, also after a power failure.
 *
 * @param mode the permissions of the new file
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      writeSync(file, text);
      // The mask of the process may have taken permissions away.
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
