// Imported by name. With a default import, a bundler would copy all of node:fs into the bundle.
import { close, constants, fdatasync, fstat, ftruncate, open, write } from 'node:fs';
import { open as openHandle, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** A file that only grows at its end. */
export interface LogFile {
  /** Resolves when all bytes are in the file, and rejects if any byte is not. */
  append(bytes: Buffer): Promise<void>;
  /** Replaces bytes in place. Only for files that were opened with `openForUpdate`. */
  writeAt(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when everything that was written before is on disk. */
  sync(): Promise<void>;
  size(): Promise<number>;
  /** Whether the path still leads to this file, and the file has this size. */
  isInPlace(size: number): Promise<boolean>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** The operations of a disk that the log needs. Tests use a disk that is full, slow or wrong. */
export interface LogStorage {
  openForAppend(path: string): Promise<LogFile>;
  openForUpdate(path: string): Promise<LogFile>;
  /** Resolves when the new name is on disk. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Bare descriptors, because an operation of a FileHandle takes about twice as long. */
const descriptors = {
  open: promisify(open),
  write: promisify(write),
  sync: promisify(fdatasync),
  stat: promisify(fstat),
  truncate: promisify(ftruncate),
  close: promisify(close),
};

/** The owner and the group may read a log; others may not. */
const MODE = 0o640;

export const diskStorage: LogStorage = {
  async openForAppend(path) {
    const file = await fileOf(path, await descriptors.open(path, 'a', MODE));
    await syncDirectory(path);
    return file;
  },
  async openForUpdate(path) {
    const flags = constants.O_RDWR | constants.O_CREAT;
    return fileOf(path, await descriptors.open(path, flags, MODE));
  },
  async rename(from, to) {
    await rename(from, to);
    await syncDirectory(to);
  },
  remove: (path) => rm(path, { force: true }),
};

async function fileOf(path: string, descriptor: number): Promise<LogFile> {
  const { ino, dev } = await descriptors.stat(descriptor, { bigint: true });
  return {
    append: (bytes) => writeAll(descriptor, bytes, null),
    writeAt: (bytes, position) => writeAll(descriptor, bytes, position),
    sync: () => descriptors.sync(descriptor),
    size: async () => (await descriptors.stat(descriptor)).size,
    async isInPlace(size) {
      const there = await stat(path, { bigint: true }).catch(whenAbsent);
      return there?.ino === ino && there.dev === dev && there.size === BigInt(size);
    },
    truncate: (size) => descriptors.truncate(descriptor, size),
    close: () => descriptors.close(descriptor),
  };
}

/** A folder whose rights are gone is an error of its own, and not a log that somebody has removed. */
function whenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

/** A disk that becomes full accepts part of a write without an error. Only the next write fails. */
async function writeAll(descriptor: number, bytes: Buffer, position: number | null): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const at = position === null ? null : position + done;
    const { bytesWritten } = await descriptors.write(descriptor, bytes, done, bytes.length - done, at);
    done += bytesWritten;
  }
}

/**
 * A power cut loses a new name unless the directory is synced, too. Windows can not do that, and does not
 * need it.
 */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await openHandle(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
