import { resolve } from 'node:path';
import { FOLDER_OBSERVER } from '@toolwright/json';

type FolderObserver = (folders: readonly string[], changed: () => Promise<unknown>) => () => void;

/**
 * Has `toolwright dev` watch folders.
 *
 * @param changed reads the folders again
 * @returns ends it
 */
export function followFolders(folders: readonly string[], changed: () => Promise<unknown>): () => void {
  const observe = (globalThis as Record<symbol, unknown>)[FOLDER_OBSERVER] as FolderObserver | undefined;
  if (folders.length === 0) return () => undefined;
  return (
    observe?.(
      folders.map((folder) => resolve(folder)),
      changed,
    ) ?? (() => undefined)
  );
}
