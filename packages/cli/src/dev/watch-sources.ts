import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';
import { ChangedFiles } from './changed-files.js';

const ignoredFolder = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const watched = /(^|[\\/])(tsconfig[^\\/]*\.json|package\.json|[^\\/]+\.[cm]?tsx?)$/;

export interface SourceWatch {
  /** Resolves to the files that were changed, added or removed since the last call. */
  next(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Watches the sources in a folder. When it resolves, no later change is missed.
 *
 * @param isOutput returns true for compiled files, which are ignored
 */
export async function watchSources(
  folder: string,
  isOutput: (path: string) => boolean,
): Promise<SourceWatch> {
  const changed = new ChangedFiles();
  const watcher = watch(folder, {
    ignored: (path) => ignoredFolder.test(relative(folder, path)),
    ignoreInitial: true,
  });
  watcher.on('all', (_event, path) => {
    if (watched.test(path) && !isOutput(path)) changed.add(path);
  });
  await once(watcher, 'ready');
  return {
    next: () => changed.next(),
    close: async () => {
      changed.close();
      await watcher.close();
    },
  };
}
