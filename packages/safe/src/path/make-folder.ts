import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { describeFailure } from './describe-failure.js';
import { withFolder, type HeldFolder } from './held-folder.js';
import { NEW_FOLDER } from './open-file.js';

/**
 * Makes a folder and those above it, one after the other, each inside the one that was just checked.
 * `mkdir(…, { recursive: true })` would follow a link that somebody puts in the place of one of them.
 *
 * @param real the folder's absolute path without links, as `resolveInside` gives it
 */
export async function makeFolder(root: string, real: string, path: string): Promise<void> {
  let folder = root;
  for (const name of relative(root, real).split(sep).filter(Boolean)) {
    await withFolder(folder, path, (held) => makeOne(held, name, path));
    folder = join(folder, name);
  }
}

async function makeOne(held: HeldFolder, name: string, path: string): Promise<void> {
  try {
    await mkdir(held.place(name), NEW_FOLDER);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw describeFailure(error, path);
    const there = await lstat(held.place(name)).catch(() => undefined);
    if (!there?.isDirectory()) throw refusal('TW_SAFE_FILE', `${quote(path)} is not a folder.`, error);
  }
}
