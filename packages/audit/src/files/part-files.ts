import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';

const KINDS = [
  ['isDirectory', 'a directory'],
  ['isFIFO', 'a named pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
] as const;

/** What is there, if it is not a regular file. */
export const kindOf = (found: Stats): string | undefined => KINDS.find(([is]) => found[is]())?.[1];

/** What is at the path, if something other than a regular file is there. Opening a pipe would wait for a writer of it. */
export async function otherThanFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(ifMissing);
  if (found) return kindOf(found);
  return (await lstat(path).catch(ifMissing))?.isSymbolicLink() ? 'a link that leads nowhere' : undefined;
}

/** @returns `undefined` if there is not a regular file. `tellOddParts` says so */
export async function openPart(path: string): Promise<FileHandle | undefined> {
  if (await otherThanFile(path)) return undefined;
  // Windows has neither such a flag nor pipes among files.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  return open(path, flags).catch(ifMissing);
}

/** The whole file. @returns `undefined` if there is not a regular file */
export async function readPart(path: string): Promise<Buffer | undefined> {
  const file = await openPart(path);
  try {
    return await file?.readFile();
  } finally {
    await file?.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
