import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { codeOf, makeFolder } from '@toolwright/json';
import { CommandError, describeError } from '@toolwright/operate/terminal';

/** Others may neither read nor write it, nor see what is in the folder. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * Makes a folder for private files, unless it is there.
 *
 * @throws {CommandError} when the folder could be read or changed by others
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, PRIVATE_FOLDER);
  checkOwner(folder, lstatSync(folder), 'isDirectory');
}

/**
 * Reads a file that nobody but its owner may open.
 *
 * @returns undefined when there is no such file
 * @throws {CommandError} when it cannot be read, or others could have read or written it
 */
export function readPrivateFile(path: string): string | undefined {
  let file: number;
  try {
    // A link could lead to a file that somebody else chose.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new CommandError(`${path} is a link, so it is not trusted. Remove it.`);
    throw new CommandError(describeError(error));
  }
  try {
    checkOwner(path, fstatSync(file), 'isFile');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Windows protects the folders of a user in another way, and knows no modes. */
function checkOwner(path: string, stats: Stats, kind: 'isFile' | 'isDirectory'): void {
  if (!stats[kind]()) throw new CommandError(`${path} is something else than expected. Remove it.`);
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid())
    throw new CommandError(`${path} belongs to another user, so it is not trusted.`);
  if ((stats.mode & OTHERS) !== 0)
    throw new CommandError(`Others may open ${path}, so it is not trusted. Remove it.`);
}
