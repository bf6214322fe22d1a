import { constants, realpathSync } from 'node:fs';
import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { ToolError } from '@toolwright/core';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { SafeErrorCode } from '../errors/catalogue.js';
import { quote, refusal } from '../errors/refusal.js';
import { parseRelativePath } from './parse-relative-path.js';

/** How to open a file: read it, replace it, append to it, or create it and fail if it exists. */
export type OpenMode = 'read' | 'replace' | 'append' | 'create';

/** A folder that paths from outside cannot leave. */
export interface RootedPath {
  /** The folder itself, after all links were resolved. */
  readonly root: string;
  /**
   * Returns the absolute path of what `path` names inside the folder, after all links were resolved. It need
   * not exist. Someone who may write in the folder can put a link there before you use the path. Use `open`
   * where that matters.
   *
   * @throws ToolError `TW_SAFE_PATH`
   */
  resolve(path: string): Promise<string>;
  /**
   * Opens a regular file inside the folder. A link that someone puts there meanwhile cannot make it another
   * file.
   *
   * @throws ToolError `TW_SAFE_PATH`; `TW_SAFE_FILE` if it does not exist, is not a file or is not accessible
   */
  open(path: string, mode?: OpenMode): Promise<FileHandle>;
}

export interface RootedPathOptions {
  /**
   * A sentence at the end of every refusal that says what to send instead, such as "Send a path as list_notes
   * gives it."
   */
  advice?: string;
}

const rootedPathOptions = { advice: optionRules.text } satisfies OptionSchema<RootedPathOptions>;

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
  const { advice } = parseOptions('rootedPath', rootedPathOptions, options);
  const root = realpathSync(folder);
  const advise = (error: unknown): never => {
    if (advice === undefined || !(error instanceof ToolError)) throw error;
    throw refusal(error.code as SafeErrorCode, `${error.message} ${advice}`, error);
  };
  const resolve = (path: string) => resolveInside(root, path);
  return {
    root,
    resolve: (path) => resolve(path).catch(advise),
    open: (path, mode = 'read') =>
      resolve(path)
        .then((real) => openReal(real, path, mode))
        .catch(advise),
  };
}

async function resolveInside(root: string, path: string): Promise<string> {
  const target = join(root, ...parseRelativePath(path));
  const real = await resolveLinks(target, path);
  if (!isInside(root, real)) throw escapes(path);
  return real;
}

async function openReal(real: string, path: string, mode: OpenMode): Promise<FileHandle> {
  const parent = await openParent(dirname(real), path);
  try {
    const file = await openInside(parent, real, { path, mode });
    await checkOpened(file, real, path);
    if (mode === 'replace') await file.truncate();
    return file;
  } finally {
    await parent.close();
  }
}

const FLAGS: Record<OpenMode, number> = {
  read: constants.O_RDONLY,
  // The file is emptied later, when it is known to be the right one.
  replace: constants.O_WRONLY | constants.O_CREAT,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

/**
 * Opening a FIFO would wait for ever. A link as the last part of the path is refused. Windows has neither
 * flag.
 */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Resolves links as far as the path exists. A link whose target does not exist is refused: whoever creates
 * the file would follow it.
 */
async function resolveLinks(target: string, path: string): Promise<string> {
  try {
    return await realpath(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw refusal('TW_SAFE_PATH', `The path ${quote(path)} cannot be followed.`, error);
  }
  const dangling = await lstat(target).then(Boolean, () => false);
  if (dangling) throw escapes(path);
  return join(await resolveLinks(dirname(target), path), target.slice(dirname(target).length));
}

/**
 * Opens the folder that contains the file, and keeps it open. A later change of the folder's name then does
 * not matter.
 */
async function openParent(folder: string, path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(folder, flags).catch((error: unknown) => {
    throw refusal('TW_SAFE_FILE', `The folder of ${quote(path)} does not exist or cannot be read.`, error);
  });
  try {
    await requireSame(handle, folder, path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openInside(
  parent: FileHandle,
  real: string,
  { path, mode }: { path: string; mode: OpenMode },
): Promise<FileHandle> {
  // Node.js has no openat(). On Linux, a path below the descriptor's entry in /proc does the same.
  const place =
    process.platform === 'linux' ? `/proc/self/fd/${parent.fd}${real.slice(dirname(real).length)}` : real;
  try {
    return await open(place, FLAGS[mode] | CAREFULLY, 0o640);
  } catch (error) {
    throw describeFailure(error as NodeJS.ErrnoException, path);
  }
}

async function checkOpened(file: FileHandle, real: string, path: string): Promise<void> {
  try {
    if (!(await file.stat()).isFile()) throw refusal('TW_SAFE_FILE', `${quote(path)} is not a file.`);
    await requireSame(file, real, path);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Checks that the opened file is still the one that the path leads to, after all links are resolved. */
async function requireSame(handle: FileHandle, expected: string, path: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  const still = await realpath(expected).catch(() => undefined);
  const there =
    still === expected ? await stat(expected, { bigint: true }).catch(() => undefined) : undefined;
  if (there?.ino !== opened.ino || there.dev !== opened.dev) throw escapes(path);
}

function describeFailure(error: NodeJS.ErrnoException, path: string) {
  if (error.code === 'ELOOP') return escapes(path);
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EEXIST: 'exists already',
    EISDIR: 'is a folder',
    EACCES: 'may not be accessed',
    ENXIO: 'is not a file',
  };
  return refusal('TW_SAFE_FILE', `${quote(path)} ${reasons[error.code ?? ''] ?? 'cannot be opened'}.`, error);
}

function escapes(path: string) {
  return refusal('TW_SAFE_PATH', `The path ${quote(path)} leads out of the folder.`);
}
