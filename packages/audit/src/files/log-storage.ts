import * as fs from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
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

const write = promisify(fs.write);
const fdatasync = promisify(fs.fdatasync);
const ftruncate = promisify(fs.ftruncate);
const fstat = promisify(fs.fstat);
const close = promisify(fs.close);
const openDescriptor = promisify(fs.open);

/** Owner and group may read a log; others may not. */
const MODE = 0o640;

export const diskStorage: LogStorage = {
  async openForAppend(path) {
    const file = await fileOf(path, await openDescriptor(path, 'a', MODE));
    await syncDirectory(path);
    return file;
  },
  async openForUpdate(path) {
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT;
    return fileOf(path, await openDescriptor(path, flags, MODE));
  },
  async rename(from, to) {
    await rename(from, to);
    await syncDirectory(to);
  },
  remove: (path) => rm(path, { force: true }),
};

/** On bare descriptors: a FileHandle costs about twice as much per operation. */
async function fileOf(path: string, descriptor: number): Promise<LogFile> {
  const { ino, dev } = await fstat(descriptor, { bigint: true });
  return {
    append: (bytes) => writeAll(descriptor, bytes, null),
    writeAt: (bytes, position) => writeAll(descriptor, bytes, position),
    sync: () => fdatasync(descriptor),
    size: async () => (await fstat(descriptor)).size,
    async isInPlace(size) {
      const there = await stat(path, { bigint: true }).catch(() => undefined);
      return there?.ino === ino && there.dev === dev && there.size === BigInt(size);
    },
    truncate: (size) => ftruncate(descriptor, size),
    close: () => close(descriptor),
  };
}

/** A disk that fills up takes a part of a write without an error; only the next one fails. */
async function writeAll(descriptor: number, bytes: Buffer, position: number | null): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const at = position === null ? null : position + done;
    const { bytesWritten } = await write(descriptor, bytes, done, bytes.length - done, at);
    done += bytesWritten;
  }
}

/** A new name is lost with the power unless the directory is synced too. Windows can neither, nor needs to. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
