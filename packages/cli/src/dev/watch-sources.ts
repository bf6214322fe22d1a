import { once } from 'node:events';
import { relative } from 'node:path';
import { watch } from 'chokidar';

/** Editors save in several steps, formatters once more; what follows within this time belongs to one change. */
const SETTLE_MS = 15;

const ignoredFolder = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const watched = /(^|[\\/])(tsconfig[^\\/]*\.json|package\.json|[^\\/]+\.[cm]?tsx?)$/;

export interface SourceWatch {
  /** Resolves with the files that were changed, added or removed since this was last asked. */
  next(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Watches the sources below a folder. Ready when it comes back: what changes later is seen.
 *
 * @param isOutput says of files that they were compiled, and of no interest
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
