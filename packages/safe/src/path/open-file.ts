import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { describeFailure } from './describe-failure.js';
import { requireSame, withFolder } from './held-folder.js';

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
