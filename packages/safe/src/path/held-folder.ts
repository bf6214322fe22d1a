import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { quote } from '../errors/refusal.js';
import { describeFailure } from './describe-failure.js';
import { escapes } from './resolve-inside.js';

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
