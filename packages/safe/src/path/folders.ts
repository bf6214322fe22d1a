import type { Dirent } from 'node:fs';
import { lstat, mkdir, opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { quote, refusal } from '../errors/refusal.js';
import { type HeldFolder, NEW_FOLDER, withFolder } from './held-folder.js';
import { describeFailure } from './resolve-inside.js';

/** Something in a folder. A link is a `link`, whatever it leads to. */
export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * @param real the folder's absolute path without links, as `resolveInside` gives it
 * @throws ToolError `TW_SAFE_TOO_LARGE` if the folder has more than `limit` entries
 */
export function listFolder(real: string, path: string, limit: number): Promise<FolderEntry[]> {
  const list = async (held: HeldFolder) => {
    const entries = await readEntries(held, path, limit).catch((error: unknown) => {
      throw describeFailure(error, path);
    });
    // Systems give names in any order, and a model should see no difference between two of them.
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  };
  return withFolder(real, path, list, quote(path));
}

async function readEntries(held: HeldFolder, path: string, limit: number): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(held.place('.'))) {
    if (entries.length === limit) throw tooMany(path, limit);
    entries.push({ name: entry.name, kind: kindOf(entry) });
  }
  return entries;
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function tooMany(path: string, limit: number) {
  return refusal('TW_SAFE_TOO_LARGE', `The folder ${quote(path)} has more than ${limit} entries.`);
}

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
