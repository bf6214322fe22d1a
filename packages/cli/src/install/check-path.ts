import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../command-error.js';
import type { HostPath } from './host-file.js';

/**
 * The permissions of a file of settings; those for a new file if it does not exist.
 *
 * @throws {CommandError} if the file, or a folder on the way to it, is a link or something else. A link may lead to a
 *   place that others write, or into the repository of somebody's settings
 */
export function checkPath({ path, base }: HostPath): number {
  const file = statOf(path);
  if (file && !file.isFile()) throw new CommandError(`${describe(path, file)} Change it by hand.`);
  for (let folder = dirname(path); folder.length > base.length; folder = dirname(folder)) {
    const stats = statOf(folder);
    if (stats && !stats.isDirectory())
      throw new CommandError(`${describe(folder, stats)} Change it by hand.`);
  }
  // A new file is for nobody else.
  return file ? file.mode & 0o777 : 0o600;
}

function describe(path: string, stats: Stats): string {
  const what = stats.isSymbolicLink()
    ? 'is a symbolic link, and the command follows none'
    : 'is no file or folder';
  return `${path} ${what}.`;
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
