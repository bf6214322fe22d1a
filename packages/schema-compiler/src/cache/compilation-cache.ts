import { makeFolder } from '@toolwright/json';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { COMPILER_VERSION, type Fingerprint, findChanges } from './fingerprint.js';
import type { NamedFile } from '../merge-files.js';
import type { ImportGraph } from '../program/import-graph.js';
import type { Surroundings } from '../program/open-partial-program.js';

/** The result of compiling a project, and what is needed to find out later how much of it is still valid. */
export interface Compilation {
  /** Folder of the tsconfig. */
  root: string;
  /** In the order of the project's sources. */
  files: NamedFile[];
  imports: ImportGraph;
  surroundings: Surroundings;
  fingerprint: Fingerprint;
}

/** The last compilation, and the files whose text has changed since then. */
export interface Recalled {
  last: Compilation;
  changed: string[];
}

interface Stored {
  compiler: string;
  compilation: Compilation;
}

/**
 * The last compilation of each project, on disk. As long as no file that it read has changed, it is returned
 * without loading TypeScript. A cache that cannot be read or written is ignored, never an error.
 */
export class CompilationCache {
  private readonly file: string;

  constructor(project: string, folder = cacheFolder(dirname(resolve(project)))) {
    const name = createHash('sha256').update(resolve(project)).digest('hex').slice(0, 24);
    this.file = join(folder, `${name}.json`);
  }

  /** @returns undefined if there is no compilation, or if more has changed than the text of some files */
  read(): Recalled | undefined {
    try {
      const { compiler, compilation } = JSON.parse(readFileSync(this.file, 'utf8')) as Stored;
      if (compiler !== compilerStamp()) return undefined;
      const changed = findChanges(compilation.fingerprint);
      return changed && { last: compilation, changed };
    } catch {
      return undefined;
    }
  }

  write(compilation: Compilation): void {
    const stored: Stored = { compiler: compilerStamp(), compilation };
    // The file is renamed into place, so that two builds at the same time never read a half-written file.
    const part = `${this.file}.${process.pid}`;
    try {
      makeFolder(dirname(this.file));
      writeFileSync(part, JSON.stringify(stored));
      renameSync(part, this.file);
    } catch {
      // On a read-only disk nothing is stored, and each build compiles.
    }
  }
}

/**
 * `node_modules/.cache` of the nearest installation. Tools store files there that may be deleted at any time.
 */
function cacheFolder(start: string): string {
  for (let at = start; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'toolwright');
    if (dirname(at) === at) return join(tmpdir(), 'toolwright-cache');
  }
}

/**
 * The version of the compiler and the age of its files, so that work on the compiler never uses old results.
 */
function compilerStamp(): string {
  const newest = (folder: string): number =>
    Math.max(
      0,
      ...readdirSync(folder, { withFileTypes: true }).map((item) => {
        const path = join(folder, item.name);
        return item.isDirectory() ? newest(path) : statSync(path).mtimeMs;
      }),
    );
  return `${COMPILER_VERSION} ${newest(join(__dirname, '..'))}`;
}
