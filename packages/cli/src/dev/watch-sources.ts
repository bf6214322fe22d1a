import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';

/**
 * Editors save in several steps, and formatters once more. Everything within this time belongs to one change.
 */
const SETTLE_MS = 15;

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
  const changed = new Set<string>();
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, {
    ignored: (path) => ignoredFolder.test(relative(folder, path)),
    ignoreInitial: true,
  });
  watcher.on('all', (_event, path) => {
    if (!watched.test(path) || isOutput(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => wake?.(), SETTLE_MS);
  });
  await once(watcher, 'ready');
  return {
    next: () =>
      new Promise((resolve) => {
        const take = () => {
          wake = undefined;
          resolve([...changed]);
          changed.clear();
        };
        if (changed.size > 0) timer = setTimeout(take, SETTLE_MS);
        else wake = take;
      }),
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
