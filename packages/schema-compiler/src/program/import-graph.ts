import { ts } from 'typescript-json-schema';

/** The files that each file imports, by path. */
export type ImportGraph = Record<string, string[]>;

type Opened = { checker: ts.TypeChecker; program: ts.Program };

/** Reads which file imports which. It remembers files: an unchanged file keeps its object, and with it its imports. */
export class ImportReader {
  private readonly known = new WeakMap<ts.SourceFile, string[]>();

  /** The imports of every file outside of `node_modules`. */
  read({ checker, program }: Opened): ImportGraph {
    const graph: ImportGraph = {};
    for (const file of program.getSourceFiles()) {
      if (file.fileName.includes('/node_modules/') || file.hasNoDefaultLib) continue;
      graph[file.fileName] = this.importsOf(file, checker);
    }
    return graph;
  }

  private importsOf(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
    const known = this.known.get(file);
    if (known) return known;
    const found = new Set<string>();
    for (const specifier of specifiersOf(file)) {
      const target = checker.getSymbolAtLocation(specifier)?.declarations?.find(ts.isSourceFile);
      if (target) found.add(target.fileName);
    }
    this.known.set(file, [...found]);
    return [...found];
  }
}

/** The changed files and all that import them, through any number of files. */
export function findAffected(graph: ImportGraph, changed: Iterable<string>): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [importer, imports] of Object.entries(graph)) {
    for (const name of imports) {
      const known = importers.get(name);
      if (known) known.push(importer);
      else importers.set(name, [importer]);
    }
  }
  const reached = new Set(changed);
  // A set gives what is added while it is walked.
  for (const name of reached) for (const importer of importers.get(name) ?? []) reached.add(importer);
  return reached;
}

/** Whether every file of a program sees what this one declares; so for a file that is not there (any more). */
export function isAmbient(file: ts.SourceFile | undefined): boolean {
  return !file || !ts.isExternalModule(file) || /\bdeclare\s+(global|module)\b/.test(file.text);
}

/** Module specifiers of imports, exports and `import('…')` types: the parser has collected them. */
function specifiersOf(file: ts.SourceFile): readonly ts.Node[] {
  return (file as ts.SourceFile & { imports?: readonly ts.Node[] }).imports ?? [];
}
