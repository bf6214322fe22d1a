import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const NEW_FILE = 0o666;

export interface Replacement {
  /** The permissions of the new file. By default those of any new file. */
  readonly mode?: number | undefined;
  /** True for files that must be whole after a power failure, too. It takes some milliseconds. */
  readonly isDurable?: boolean;
}

/**
 * Puts a file with this text in the place of whatever has this name: a link is replaced, and not followed. A reader
 * sees the old file or the new one, never a part of it, and a command that is stopped leaves no half file.
 */
export function replaceFile(path: string, text: string, { mode, isDurable }: Replacement = {}): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = openSync(draft, 'wx', mode ?? NEW_FILE);
    try {
      writeFileSync(file, text);
      // The mask of the process takes permissions from a new file, and must not take any from a mode that is kept.
      if (mode !== undefined) fchmodSync(file, mode);
      if (isDurable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
