import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { describeFailure } from './describe-failure.js';
import { requireSame, withFolder, type HeldFolder } from './held-folder.js';
import { NEW_FILE } from './open-file.js';
import { escapes } from './resolve-inside.js';

/** What is to stand in the file afterwards. */
export interface Replacement {
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
