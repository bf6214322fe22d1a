import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { makeFolder } from '@toolwright/json';
import { CommandError } from '@toolwright/operate/terminal';

/**
 * Writes a file of a project in one step, and keeps the mode of a file that exists. A link within the project stays a
 * link: its target is replaced.
 *
 * @param path absolute path. Missing folders are created.
 * @param project the folder of the project, which no link may leave
 * @throws {CommandError} if a link leads out of the project, or to nothing
 */
export function writeAtomically(path: string, text: string, project: string): void {
  const target = placeInProject(path, project);
  makeFolder(dirname(target));
  const before = statSync(target, { throwIfNoEntry: false });
  replaceFile(target, text, { mode: before && before.mode & 0o7777 });
}

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

const NEW_FILE = 0o666;

interface Replacement {
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
  let isThere = false;
  try {
    const file = openSync(draft, 'wx', mode ?? NEW_FILE);
    isThere = true;
    try {
      writeFileSync(file, text);
      // The mask of the process takes permissions from a new file, and must not take any from a mode that is kept.
      if (mode !== undefined) fchmodSync(file, mode);
      if (isDurable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renamePatiently(draft, path);
  } catch (error) {
    if (isThere) rmSync(draft, { force: true });
    throw named(error as NodeJS.ErrnoException, draft, path);
  }
}

/** The error about the draft, as one about the file that a person knows. */
function named(error: NodeJS.ErrnoException, draft: string, path: string): NodeJS.ErrnoException {
  if (error.path === draft) {
    error.path = path;
    error.message = error.message.replaceAll(draft, path);
  }
  return error;
}

/** What Windows says while a scanner, an indexer or an editor has the file open for a moment. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Together less than a second. */
const WAITS_MS = [10, 20, 40, 80, 160, 320];

/** Puts a file in the place of another one. On Windows it waits for a program that has the other one open. */
export function renamePatiently(from: string, to: string, { platform, rename, wait } = thisSystem): void {
  for (const ms of platform === 'win32' ? WAITS_MS : [])
    try {
      return rename(from, to);
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      wait(ms);
    }
  rename(from, to);
}

const thisSystem = {
  platform: process.platform as NodeJS.Platform,
  rename: renameSync as (from: string, to: string) => void,
  wait: (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};
