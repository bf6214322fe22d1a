import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { describeFailure } from './describe-failure.js';
import { withFolder } from './held-folder.js';
import { escapes } from './resolve-inside.js';

/** A path as the caller wrote it, and its absolute form without links. */
export interface Resolved {
  path: string;
  real: string;
}

/** Gives a file or folder another name. Nothing that exists is overwritten. */
export function moveInside(from: Resolved, to: Resolved): Promise<void> {
  return withFolder(dirname(from.real), from.path, (source) =>
    withFolder(dirname(to.real), to.path, async (target) => {
      const there = source.place(basename(from.real));
      const place = target.place(basename(to.real));
      const what = await lstat(there).catch((error: unknown) => {
        throw describeFailure(error, from.path);
      });
      if (what.isSymbolicLink()) throw escapes(from.path);
      const release = await reserve(place, what).catch((error: unknown) => {
        throw describeFailure(error, to.path);
      });
      await rename(there, place).catch(async (error: unknown) => {
        await release();
        throw describeFailure(error, from.path);
      });
    }),
  );
}

/**
 * Takes the name, so that nobody else can take it between a check and the move: rename() overwrites a file or
 * an empty folder, and Node.js cannot forbid it to. Windows does not overwrite folders.
 */
async function reserve(place: string, what: Stats): Promise<() => Promise<void>> {
  if (!what.isDirectory()) {
    const file = await open(place, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await file.close();
    return () => unlink(place).catch(() => undefined);
  }
  if (process.platform === 'win32') return () => Promise.resolve();
  await mkdir(place, 0o700);
  return () => rmdir(place).catch(() => undefined);
}
