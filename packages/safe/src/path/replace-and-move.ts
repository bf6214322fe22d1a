import { randomBytes } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { type HeldFolder, NEW_FILE, requireSame, withFolder } from './held-folder.js';
import { describeFailure, escapes } from './resolve-inside.js';

/** What is to stand in the file afterwards. */
interface Replacement {
  data: string | Uint8Array;
  /** The rights of a file that did not exist. The file's own rights stay otherwise. */
  mode?: number;
}

/**
 * Writes a new file beside the old one, and gives it the old one's name in one step. A reader sees the old
 * file or the new one, never a part; after a power failure, too.
 *
 * @param real the file's absolute path without links, as `resolveInside` gives it
 */
export function replaceFile(real: string, path: string, replacement: Replacement): Promise<void> {
  return withFolder(dirname(real), path, async (folder) => {
    const place = folder.place(basename(real));
    const before = await lstat(place).catch(() => undefined);
    if (before) requireWritable(before, path);
    const name = `.toolwright-${randomBytes(12).toString('hex')}`;
    try {
      await writeAside(folder, { name, real, path, replacement, before });
      await rename(folder.place(name), place);
    } catch (error) {
      await unlink(folder.place(name)).catch(() => undefined);
      throw describeFailure(error, path);
    }
  });
}

function requireWritable(before: Stats, path: string): void {
  if (before.isSymbolicLink()) throw escapes(path);
  if (!before.isFile()) throw refusal('TW_SAFE_FILE', `${quote(path)} is not a file.`);
  // Giving another file its name needs no right to write to it, so nobody else would refuse this.
  if ((before.mode & 0o222) === 0) throw refusal('TW_SAFE_FILE', `${quote(path)} is read-only.`);
}

interface Aside {
  name: string;
  real: string;
  path: string;
  replacement: Replacement;
  before: Stats | undefined;
}

async function writeAside(folder: HeldFolder, { name, real, path, replacement, before }: Aside) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // Nobody else may read the new text before it has the rights of the old one.
  const file = await open(folder.place(name), flags, before ? 0o600 : (replacement.mode ?? NEW_FILE));
  try {
    await requireSame(file, join(dirname(real), name), path);
    await file.writeFile(replacement.data);
    // Without the bits that run a file as its owner or group: a system takes them away when a file changes.
    if (before) await file.chmod(before.mode & 0o777);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A path as the caller wrote it, and its absolute form without links. */
interface Resolved {
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
