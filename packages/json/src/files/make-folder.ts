import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. `recursive` of `mkdir` tries for ever where a folder exists and takes none:
 * in `/proc`, and in one that was deleted under a mount, such as the private `/tmp` of a service.
 *
 * @param mode the rights of the folders that are made
 * @throws {Error} the error of the system for the first folder that cannot be made
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  // A drive of Windows that is not there has nothing above it.
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may make it at the same time.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
