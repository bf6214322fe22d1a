import type { ts } from 'typescript-json-schema';

/** What Node's types declare for every file of a project. */
export interface NodeNames {
  /** Global types and values. */
  globals: string[];
  /** Modules such as `fs` and `node:fs`. */
  modules: string[];
  /** Members that they add to types of the standard library. */
  members: string[];
}

const ANY_MEANING = -1 as ts.SymbolFlags;

export function isNodeTypes(fileName: string): boolean {
  return /[\\/]node_modules[\\/]@types[\\/]node[\\/]/.test(fileName);
}

/** @returns undefined for a project without Node's types */
export function readNodeNames({
  program,
  checker,
}: {
  program: ts.Program;
  checker: ts.TypeChecker;
}): NodeNames | undefined {
  const files = program.getSourceFiles();
  const library = files.find((file) => program.isSourceFileDefaultLibrary(file));
  if (!library || !files.some(({ fileName }) => isNodeTypes(fileName))) return undefined;
  const names: NodeNames = { globals: [], modules: [], members: [] };
  // The scope of a library file contains the global names, and no others.
  for (const symbol of checker.getSymbolsInScope(library, ANY_MEANING)) {
    if (!isOfNode(symbol)) continue;
    const module = /^"(.*)"$/.exec(symbol.name)?.[1];
    if (module !== undefined) names.modules.push(module);
    else names.globals.push(symbol.name);
    if (symbol.declarations!.every(isInNode)) continue;
    for (const member of [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])])
      if (isOfNode(member) && !(member.flags & TYPE_PARAMETER)) names.members.push(member.name);
  }
  return names;
}

const TYPE_PARAMETER: ts.SymbolFlags.TypeParameter = 262144;

const isOfNode = ({ declarations = [] }: ts.Symbol) => declarations.some(isInNode);

const isInNode = (node: ts.Node) => isNodeTypes(node.getSourceFile().fileName);
