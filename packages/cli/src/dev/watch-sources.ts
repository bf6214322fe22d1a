import { watch } from 'chokidar';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { ChangedFiles } from '../changes/changed-files.js';
import { currentText } from '../changes/file-change.js';
import { sourceFile } from '../changes/watched-files.js';
import { writeAtomically } from '../changes/write-atomically.js';

const ignoredFolder = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;
const settings = /(^|[\\/])(tsconfig[^\\/]*\.json|package\.json)$/;

/** What was changed, added or removed. */
export interface ChangedPaths {
  readonly sources: string[];
  /** The followed folders that have a changed file or folder. */
  readonly folders: string[];
}

interface SourceWatch {
  /** Resolves to what has changed since the last call. */
  next(): Promise<ChangedPaths>;
  /** Watches everything in these folders, too, whatever they are called and wherever they are. */
  follow(folders: readonly string[]): void;
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
  const followed = new Set<string>();
  const holding = (path: string) => [...followed].filter((each) => isInside(path, each));
  const isSource = (path: string) =>
    isInside(path, folder) &&
    (settings.test(path) || sourceFile.test(path)) &&
    !ignoredFolder.test(relative(folder, path)) &&
    !isOutput(path);
  const watcher = watch(folder, {
    ignored: (path) =>
      holding(path).length === 0 && isInside(path, folder) && ignoredFolder.test(relative(folder, path)),
    ignoreInitial: true,
  });
  watcher.on('all', (_event, path) => {
    if (isSource(path) || holding(path).length > 0) changed.add(path);
  });
  await once(watcher, 'ready');
  return {
    next: async () => {
      const paths = await changed.next();
      return { sources: paths.filter(isSource), folders: [...new Set(paths.flatMap(holding))] };
    },
    follow: (folders) => {
      const further = folders.filter((each) => !followed.has(each));
      for (const each of further) followed.add(each);
      watcher.add(further);
    },
    close: async () => {
      changed.close();
      await watcher.close();
    },
  };
}

/** Whether a path is a folder, or in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

/** The compiled files. They can be restored to the state in which the app last ran well. */
export class OutputFiles {
  /** The earlier text of changed files; undefined for files that did not exist. */
  private readonly former = new Map<string, string | undefined>();
  /** What was written last, by path. */
  private readonly written = new Map<string, string>();

  /** @param files text by path; undefined removes the file */
  write(files: Iterable<readonly [path: string, text: string | undefined]>): void {
    for (const [path, text] of files) this.put(path, text);
  }

  /** Call this when the app runs well with the new files. */
  keep(): void {
    this.former.clear();
  }

  /** @returns what was written, so that it can be written again with the next change */
  rollBack(): ReadonlyMap<string, string | undefined> {
    const undone = new Map([...this.former.keys()].map((path) => [path, currentText(path)]));
    for (const [path, text] of this.former) set(path, text);
    this.former.clear();
    return undone;
  }

  /** Whether a file is as it was written here. Types for editors are written among the sources, which are watched. */
  isOwn(path: string): boolean {
    return this.written.has(path) && currentText(path) === this.written.get(path);
  }

  private put(path: string, text: string | undefined): void {
    if (text === undefined) this.written.delete(path);
    else this.written.set(path, text);
    const known = currentText(path);
    if (known === text) return;
    if (!this.former.has(path)) this.former.set(path, known);
    set(path, text);
  }
}

function set(path: string, text: string | undefined): void {
  if (text === undefined) return rmSync(path, { force: true });
  writeAtomically(path, text, dirname(path));
}
