import { join } from 'node:path';
import { ToolError } from '@toolwright/core';
import type { FolderEntry, RootedPath } from '@toolwright/safe';

/** How many names one call looks at. */
const MOST_ENTRIES = 50_000;

export interface Visited extends FolderEntry {
  /** Relative to where the walk began. */
  path: string;
  children?: Visited[];
}

/**
 * Looks through a folder and those below it, in the order of their names. It does not follow links, so it ends.
 *
 * @param keep decides whether an entry, with all below it, is part of the result
 * @param signal ends the walk
 */
export async function walk(
  files: RootedPath,
  start: string,
  keep: (entry: Visited) => boolean | Promise<boolean>,
  signal: AbortSignal,
): Promise<Visited[]> {
  let left = MOST_ENTRIES;
  const visit = async (folder: string): Promise<Visited[]> => {
    signal.throwIfAborted();
    const kept: Visited[] = [];
    for (const entry of await files.readdir(join(start, folder), { limit: MOST_ENTRIES })) {
      if (--left < 0) throw new ToolError(`There are more than ${MOST_ENTRIES} names. Begin further down.`);
      const visited: Visited = { ...entry, path: join(folder, entry.name) };
      if (!(await keep(visited))) continue;
      if (entry.kind === 'folder') visited.children = await visit(visited.path);
      kept.push(visited);
    }
    return kept;
  };
  return visit('');
}

/** All entries in one list, each before those below it. */
export function flatten(entries: readonly Visited[]): Visited[] {
  return entries.flatMap((entry) => [entry, ...flatten(entry.children ?? [])]);
}
