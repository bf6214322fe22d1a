import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { describeFailure, escapes } from './resolve-inside.js';

/** A folder that is kept open. A later change of its name, or of a folder above it, does not matter. */
export interface HeldFolder {
  /**
   * The path under which a system call finds the entry `name` of this folder. Outside Linux it is the
   * ordinary path, and somebody who may write there can lead it elsewhere.
   */
  place(name: string): string;
}

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder, checks that it is the one that its path names, and keeps it open while `use` runs.
 *
 * @param folder an absolute path without links
 * @param path what the caller asked for, for the message
 * @param subject what a message calls the folder
 * @throws ToolError `TW_SAFE_FILE` if it does not exist or is not a folder, `TW_SAFE_PATH` if it was exchanged
 */
export async function withFolder<T>(
  folder: string,
  path: string,
  use: (held: HeldFolder) => Promise<T>,
  subject = `The folder of ${quote(path)}`,
): Promise<T> {
  const handle = await open(folder, FOLDER_FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw describeFailure(error, path, subject);
  });
  try {
    await requireSame(handle, folder, path);
    // Node.js has no openat(). On Linux, a path below the descriptor's entry in /proc does the same.
    const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
    return await use({ place: (name) => `${base}/${name}` });
  } finally {
    await handle.close();
  }
}

/** Checks that the opened file is still the one that the path leads to, after all links are resolved. */
export async function requireSame(handle: FileHandle, expected: string, path: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  const still = await realpath(expected).catch(() => undefined);
  const there =
    still === expected ? await stat(expected, { bigint: true }).catch(() => undefined) : undefined;
  if (there?.ino !== opened.ino || there.dev !== opened.dev) throw escapes(path);
}

/** How to open a file: read it, replace it, append to it, or create it and fail if it exists. */
export type OpenMode = 'read' | 'replace' | 'append' | 'create';

/** The rights of a new file and of a new folder. The umask of the process takes some of them away. */
export const NEW_FILE = 0o640;
export const NEW_FOLDER = 0o750;

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

/** @param real the file's absolute path without links, as `resolveInside` gives it */
export function openFile(real: string, path: string, mode: OpenMode): Promise<FileHandle> {
  return withFolder(dirname(real), path, async (folder) => {
    const place = folder.place(basename(real));
    const file = await open(place, FLAGS[mode] | CAREFULLY, NEW_FILE).catch((error: unknown) => {
      throw describeFailure(error, path);
    });
    await checkOpened(file, real, path);
    if (mode === 'replace') await file.truncate();
    return file;
  });
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
