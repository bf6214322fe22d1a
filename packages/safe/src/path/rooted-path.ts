import type { Stats } from 'node:fs';
import { lstat, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ToolError } from '@toolwright/core';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { type SafeErrorCode, quote, refusal } from '../errors/refusal.js';
import { describeFailure, escapes } from './resolve-inside.js';
import { type OpenMode, openFile, withFolder } from './held-folder.js';
import { type FolderEntry, listFolder, makeFolder } from './folders.js';
import { locate, rootOf, territoryOf, type Territory } from './locate.js';
import { moveInside, replaceFile } from './replace-and-move.js';

/**
 * A folder, or several, that paths from outside cannot leave. Every method refuses a path that leads out with
 * `TW_SAFE_PATH`, and something that does not exist, exists already, or is of the wrong kind with
 * `TW_SAFE_FILE`.
 *
 * On Linux, no method can be led elsewhere by somebody who exchanges folders and links meanwhile, except
 * `resolve`. Elsewhere this holds for `open` and `readdir` only.
 */
export interface RootedPath {
  /** The folder itself, after all links were resolved. With several folders, the first. */
  readonly root: string;
  /** All folders, after all links were resolved. */
  readonly roots: readonly string[];
  /**
   * Returns the absolute path of what `path` names inside the folder, after all links were resolved. It need
   * not exist. Someone who may write in the folder can put a link there before you use the path. Use the other
   * methods where that matters.
   */
  resolve(path: string): Promise<string>;
  /**
   * Opens a regular file inside the folder. A link that someone puts there meanwhile cannot make it another
   * file.
   */
  open(path: string, mode?: OpenMode): Promise<FileHandle>;
  /**
   * Puts a text or bytes in the place of a file, in one step: a reader sees the old content or the new. The
   * file keeps its rights; a file without any right to write is refused. Its owner becomes the user of this
   * process, and other hard links keep the old content.
   *
   * @param options.mode the rights of a new file, before the umask is applied; default `0o640`
   */
  replace(path: string, data: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /** Makes a folder, and those above it. It may exist already. */
  mkdir(path: string): Promise<void>;
  /**
   * Lists a folder, in the order of the names' characters.
   *
   * @param options.limit how many entries it may have; default 10,000
   * @throws ToolError `TW_SAFE_TOO_LARGE`
   */
  readdir(path: string, options?: { limit?: number }): Promise<FolderEntry[]>;
  /** Describes what the path leads to, after links inside the folder. It opens nothing. */
  stat(path: string): Promise<Stats>;
  /** Gives a file or a folder another name. Nothing that exists is overwritten. */
  rename(from: string, to: string): Promise<void>;
}

export interface RootedPathOptions {
  /**
   * A sentence at the end of every refusal that says what to send instead, such as "Send a path as list_notes
   * gives it."
   */
  advice?: string;
  /** With `false`, names that begin with a dot are refused, and `readdir` leaves them out. Default: `true`. */
  hidden?: boolean;
}

const rootedPathOptions = {
  advice: optionRules.text,
  hidden: optionRules.flag,
} satisfies OptionSchema<RootedPathOptions>;

/**
 * Keeps paths that a model, a user or a document supplied inside one folder. It refuses `..` in every
 * encoding, absolute paths, and links that lead out. Hard links look like ordinary files, so do not let
 * others create them.
 *
 * @throws the system's error if the folder does not exist
 *
 * @example
 * const notes = rootedPath('/srv/notes');
 * const file = await notes.open('2026/july.md');
 */
export function rootedPath(folder: string, options: RootedPathOptions = {}): RootedPath {
  const { advice, hidden = true } = parseOptions('rootedPath', rootedPathOptions, options);
  return rooted(territoryOf([folder], false, hidden), advice);
}

/**
 * Keeps paths inside several folders. A path may be absolute if it begins with one of the folders. A relative
 * path starts at the first. A link may lead from one of the folders to another. The other rules of `rootedPath`
 * apply.
 *
 * @throws the system's error if one of the folders does not exist
 * @throws RangeError if there is no folder
 *
 * @example
 * const files = rootedPaths(['/srv/notes', '/srv/drafts']);
 * await files.rename('/srv/drafts/july.md', '/srv/notes/july.md');
 */
export function rootedPaths(folders: readonly string[], options: RootedPathOptions = {}): RootedPath {
  const { advice, hidden = true } = parseOptions('rootedPaths', rootedPathOptions, options);
  if (folders.length === 0) throw new RangeError('rootedPaths needs at least one folder.');
  return rooted(territoryOf(folders, true, hidden), advice);
}

function rooted(territory: Territory, advice: string | undefined): RootedPath {
  const advise = (error: unknown): never => {
    if (advice === undefined || !(error instanceof ToolError)) throw error;
    throw refusal(error.code as SafeErrorCode, `${error.message} ${advice}`, error);
  };
  const at = <T>(path: string, use: (real: string) => T | Promise<T>): Promise<T> =>
    locate(territory, path).then(use).catch(advise);
  const isVisible = ({ name }: FolderEntry) => territory.hidden || !name.startsWith('.');
  return {
    root: territory.roots[0]!,
    roots: territory.roots,
    resolve: (path) => at(path, (real) => real),
    open: (path, mode = 'read') => at(path, (real) => openFile(real, path, mode)),
    replace: (path, data, { mode } = {}) =>
      at(path, (real) => replaceFile(real, path, { data, ...(mode !== undefined && { mode }) })),
    mkdir: (path) => at(path, (real) => makeFolder(rootOf(territory, real), real, path)),
    readdir: (path, { limit = 10_000 } = {}) =>
      at(path, async (real) => (await listFolder(real, path, limit)).filter(isVisible)),
    stat: (path) => at(path, (real) => describe(territory, real, path)),
    rename: (from, to) => move(territory, from, to).catch(advise),
  };
}

function describe({ roots }: Territory, real: string, path: string): Promise<Stats> {
  // The folder above a root does not matter here, and may be unreadable.
  const [folder, name] = roots.includes(real) ? [real, '.'] : [dirname(real), basename(real)];
  return withFolder(folder, path, async (held) => {
    const found = await lstat(held.place(name)).catch((error: unknown) => {
      throw describeFailure(error, path);
    });
    if (found.isSymbolicLink()) throw escapes(path);
    return found;
  });
}

async function move(territory: Territory, from: string, to: string): Promise<void> {
  const source = { path: from, real: await locate(territory, from) };
  if (territory.roots.includes(source.real))
    throw refusal('TW_SAFE_FILE', `${quote(from)} is the folder itself and cannot be moved.`);
  return moveInside(source, { path: to, real: await locate(territory, to) });
}
