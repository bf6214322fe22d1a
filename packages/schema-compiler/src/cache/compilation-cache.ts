import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { COMPILER_VERSION } from '../compiler-version.js';
import type { NamedFile } from '../merge-files.js';
import type { ImportGraph } from '../program/import-graph.js';
import type { Surroundings } from '../program/open-narrowly.js';
import { findChanges, type Fingerprint } from './fingerprint.js';

/** What compiling a project gave, and what is needed to tell later how much of it is still true. */
export interface Compilation {
  /** Folder of the tsconfig. */
  root: string;
  /** In the order of the project's sources. */
  files: NamedFile[];
  imports: ImportGraph;
  surroundings: Surroundings;
  fingerprint: Fingerprint;
}

/** The last compilation, and the files whose text is another since. */
export interface Recalled {
  last: Compilation;
  changed: string[];
}

interface Stored {
  compiler: string;
  compilation: Compilation;
}

/**
 * The last compilation of each project, on disk. While nothing it read has changed it is given back without loading
 * TypeScript. A cache that cannot be read or written is no cache, never an error.
 */
export class CompilationCache {
  private readonly file: string;

  constructor(project: string, folder = cacheFolder(dirname(resolve(project)))) {
    const name = createHash('sha256').update(resolve(project)).digest('hex').slice(0, 24);
    this.file = join(folder, `${name}.json`);
  }

  /** @returns undefined where there is none, or where more than the text of some files has changed */
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
    // Renamed into place: two builds at once must not read each other's half.
    const part = `${this.file}.${process.pid}`;
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(part, JSON.stringify(stored));
      renameSync(part, this.file);
    } catch {
      // A read-only checkout compiles each time.
    }
  }
}

/** `node_modules/.cache` of the nearest installation, where tools keep what may be deleted at any time. */
function cacheFolder(start: string): string {
  for (let at = start; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'toolwright');
    if (dirname(at) === at) return join(tmpdir(), 'toolwright-cache');
  }
}

/** Version of the compiler and age of its files: working on the compiler itself must not meet old results. */
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
