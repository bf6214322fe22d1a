import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CommandError } from '../command-error.js';

/**
 * The real place of a file to write. Links are followed within the project only: who can put a link into a
 * repository must not choose a file elsewhere that a command of its reader replaces.
 *
 * @param path absolute path. The file and its folders need not exist.
 * @param project the folder of the project. If the path is outside of it, somebody has named it, and its own
 *   folder counts as the project.
 * @throws {CommandError} if a link leads out of the project, or to nothing
 */
export function placeInProject(path: string, project: string): string {
  const real = realPath(path);
  const root = realPath(isInside(path, project) ? project : dirname(path));
  if (isInside(real, root)) return real;
  throw new CommandError(
    `${path} leads to ${real}, which is outside of ${root}. The command does not write through such a link.`,
  );
}

/** The path without links, whether or not its last parts exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new CommandError(`${path} is a link to nothing. Remove it first.`);
  return join(realPath(dirname(path)), basename(path));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
