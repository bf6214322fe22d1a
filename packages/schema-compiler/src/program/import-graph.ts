import { getOrMake } from '@toolwright/json';
import { importsOf } from './node-mentions.js';
import { ts } from '../generator/tjs-adapter.js';

/** For each file, the files that it imports, by path. */
export type ImportGraph = Record<string, string[]>;

type Opened = { checker: ts.TypeChecker; program: ts.Program };

/**
 * Reads which files import which. It remembers the result per file object, and an unchanged file keeps its
 * object.
 */
export class ImportReader {
  private readonly known = new WeakMap<ts.SourceFile, string[]>();

  /** The imports of every file outside `node_modules`. */
  read({ checker, program }: Opened): ImportGraph {
    const graph: ImportGraph = {};
    for (const file of program.getSourceFiles()) {
      if (file.fileName.includes('/node_modules/') || file.hasNoDefaultLib) continue;
      graph[file.fileName] = this.importsOf(file, checker);
    }
    return graph;
  }

  private importsOf(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
    return getOrMake(this.known, file, () => {
      const targets = importsOf(file).flatMap(
        (specifier) => checker.getSymbolAtLocation(specifier)?.declarations?.find(ts.isSourceFile) ?? [],
      );
      return [...new Set(targets.map(({ fileName }) => fileName))];
    });
  }
}

/** The changed files and all files that import them, directly or through other files. */
export function findAffected(graph: ImportGraph, changed: Iterable<string>): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [importer, imports] of Object.entries(graph)) {
    for (const name of imports) {
      getOrMake(importers, name, () => []).push(importer);
    }
  }
  const reached = new Set(changed);
  // The loop also visits what is added to the set meanwhile.
  for (const name of reached) for (const importer of importers.get(name) ?? []) reached.add(importer);
  return reached;
}

/**
 * Whether every file of a program sees the declarations of this file. A file that does not exist, or no
 * longer, counts as such a file.
 */
export function isAmbient(file: ts.SourceFile | undefined): boolean {
  return !file || !ts.isExternalModule(file) || /\bdeclare\s+(global|module)\b/.test(file.text);
}
