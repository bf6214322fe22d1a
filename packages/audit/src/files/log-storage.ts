// By name: whatever bundles this would copy all of node:fs to give it another one.
import { close, constants, fdatasync, fstat, ftruncate, open, write } from 'node:fs';
import { open as openHandle, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** A file that grows at its end. */
export interface LogFile {
  /** Resolves when all bytes are in the file, rejects if any is not. */
  append(bytes: Buffer): Promise<void>;
  /** Replaces bytes in place. Only for files opened with `openForUpdate`. */
  writeAt(bytes: Buffer, position: number): Promise<void>;
  /** Everything written before is durable when this resolves. */
  sync(): Promise<void>;
  size(): Promise<number>;
  /** The path it was opened by still leads to this very file, and the file has this size. */
  isInPlace(size: number): Promise<boolean>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** What the log needs of a disk. Tests bring one that is full, slow or lies. */
export interface LogStorage {
  openForAppend(path: string): Promise<LogFile>;
  openForUpdate(path: string): Promise<LogFile>;
  /** The new name is durable when this resolves. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** On bare descriptors: a FileHandle costs about twice as much per operation. */
const descriptors = {
  open: promisify(open),
  write: promisify(write),
  sync: promisify(fdatasync),
  stat: promisify(fstat),
  truncate: promisify(ftruncate),
  close: promisify(close),
};

/** Owner and group may read a log; others may not. */
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
      const there = await stat(path, { bigint: true }).catch(() => undefined);
      return there?.ino === ino && there.dev === dev && there.size === BigInt(size);
    },
    truncate: (size) => descriptors.truncate(descriptor, size),
    close: () => descriptors.close(descriptor),
  };
}

/** A disk that fills up takes a part of a write without an error; only the next one fails. */
async function writeAll(descriptor: number, bytes: Buffer, position: number | null): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const at = position === null ? null : position + done;
    const { bytesWritten } = await descriptors.write(descriptor, bytes, done, bytes.length - done, at);
    done += bytesWritten;
  }
}

/** A new name is lost with the power unless the directory is synced too. Windows can neither, nor needs to. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await openHandle(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
