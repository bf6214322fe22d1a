import { ts } from 'typescript-json-schema';
import type { Project } from '../program/open-project.js';

/** Which of a project's files see which others, through any number of imports. */
export class ImportGraph {
  /** By source file object: an unchanged file keeps its object, and with it its imports. */
  private readonly imports = new WeakMap<ts.SourceFile, string[]>();

  /** The files among `sources` whose types may depend on a changed file; all, when a change reaches the global scope. */
  affected({ checker, program, sources }: Project, changed: ReadonlySet<string>): ts.SourceFile[] {
    if ([...changed].some((name) => isGlobal(program.getSourceFile(name)))) return sources;
    const importers = new Map<string, string[]>();
    for (const file of program.getSourceFiles()) {
      if (file.fileName.includes('/node_modules/') || file.hasNoDefaultLib) continue;
      for (const name of this.importsOf(file, checker)) {
        const known = importers.get(name);
        if (known) known.push(file.fileName);
        else importers.set(name, [file.fileName]);
      }
    }
    const reached = new Set(changed);
    const queue = [...changed];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      for (const importer of importers.get(name) ?? []) {
        if (reached.has(importer)) continue;
        reached.add(importer);
        queue.push(importer);
      }
    }
    return sources.filter(({ fileName }) => reached.has(fileName));
  }

  private importsOf(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
    const known = this.imports.get(file);
    if (known) return known;
    const found = new Set<string>();
    const add = (node: ts.Node) => {
      const target = checker.getSymbolAtLocation(node)?.declarations?.find(ts.isSourceFile);
      if (target) found.add(target.fileName);
    };
    for (const specifier of specifiersOf(file)) add(specifier);
    this.imports.set(file, [...found]);
    return [...found];
  }
}

/** Module specifiers of imports, exports and `import('…')` types: the parser has collected them. */
function specifiersOf(file: ts.SourceFile): readonly ts.Node[] {
  return (file as ts.SourceFile & { imports?: readonly ts.Node[] }).imports ?? [];
}

function isGlobal(file: ts.SourceFile | undefined): boolean {
  return !file || !ts.isExternalModule(file) || /\bdeclare\s+(global|module)\b/.test(file.text);
}
