import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { quote, refusal } from '../errors/refusal.js';
import { describeFailure } from './describe-failure.js';
import { withFolder, type HeldFolder } from './held-folder.js';

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
