import { watch } from 'chokidar';
import { once } from 'node:events';
import { existsSync, type FSWatcher, rmSync, watch as watchFolder } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ChangedFiles } from '../changes/changed-files.js';
import { sourceFile } from '../changes/watched-files.js';
import { writeAtomically } from '../changes/write-atomically.js';
import { currentText } from '@toolwright/operate/terminal';
import { ignoredFolder } from '../build/manifest-build.js';

const settings = /(^|[\\/])(tsconfig[^\\/]*\.json|package\.json)$/;

/** What was changed, added or removed. */
export interface ChangedPaths {
  readonly sources: string[];
  /** The followed folders that have a changed file or folder. */
  readonly folders: string[];
}

/** What `watchSources` has begun. */
export interface SourceWatch {
  /** Resolves to what has changed since the last call. */
  next(): Promise<ChangedPaths>;
  /** Watches everything in these folders, too, whatever they are called and wherever they are. */
  follow(folders: readonly string[]): void;
  /** Watches these files, too: configs that the tsconfig extends, which are often above the project. */
  alsoConfigs(files: readonly string[]): void;
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
  const configs = new Set<string>();
  /** Their folders: an editor replaces a file, and one that does not exist may come. */
  const ofConfigs = new Map<string, FSWatcher>();
  const isSource = (path: string) =>
    configs.has(path) ||
    (isInside(path, folder) &&
      (settings.test(path) || sourceFile.test(path)) &&
      !ignoredFolder.test(relative(folder, path)) &&
      !isOutput(path));
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
    alsoConfigs: (files) => {
      for (const file of files.map((each) => resolve(each))) {
        configs.add(file);
        const directory = dirname(file);
        if (ofConfigs.has(directory) || !existsSync(directory)) continue;
        const named = (_event: string, name: string | null) => {
          const path = join(directory, name ?? '');
          if (configs.has(path)) changed.add(path);
        };
        // Whoever removes the folder sees what the compiler says of it.
        ofConfigs.set(
          directory,
          watchFolder(directory, named).on('error', () => undefined),
        );
      }
    },
    close: async () => {
      changed.close();
      for (const each of ofConfigs.values()) each.close();
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
