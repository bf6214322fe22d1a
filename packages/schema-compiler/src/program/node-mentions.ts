import { ts } from '../generator/tjs-adapter.js';

type NameSets = Record<keyof NodeNames, ReadonlySet<string>>;

/**
 * Decides from the text alone whether a signature in a file may depend on Node's types. It never misses a
 * dependency. If a file has its own name that is also one of Node's, the build only takes longer.
 */
export class NodeMentions {
  private readonly names: NameSets;

  constructor({ globals, modules, members }: NodeNames) {
    this.names = { globals: new Set(globals), modules: new Set(modules), members: new Set(members) };
  }

  /**
   * Whether a signature can see a name of Node's, or something that the file imports from a module of Node's.
   */
  in(file: ts.SourceFile): boolean {
    if (file.isDeclarationFile && !this.mayBeIn(file)) return false;
    return new SourceReader(file, this.names).found();
  }

  /** Looking through the parser's list of identifiers is much faster than through the nodes of the file. */
  private mayBeIn(file: ts.SourceFile): boolean {
    const { identifiers } = file as ts.SourceFile & { identifiers: ReadonlyMap<string, string> };
    const { globals, members } = this.names;
    for (const name of identifiers.keys()) if (globals.has(name) || members.has(name)) return true;
    return this.inImports(file);
  }

  inImports(file: ts.SourceFile): boolean {
    return importsOf(file).some(({ text }) => this.names.modules.has(text));
  }
}

/** Module specifiers of imports, exports and `import('…')` types. The parser has already collected them. */
export function importsOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return (file as ts.SourceFile & { imports?: readonly ts.StringLiteralLike[] }).imports ?? [];
}

class SourceReader {
  /** The local names of everything that is imported from Node's modules. */
  private readonly imported = new Set<string>();
  /** Questions are compiled, too, and they are inside of function bodies. */
  private readonly readsBodies: boolean;

  constructor(
    private readonly file: ts.SourceFile,
    private readonly names: NameSets,
  ) {
    this.readsBodies = /\b(?:elicit|sample)\b/.test(file.text);
    for (const statement of file.statements)
      if (ts.isImportDeclaration(statement)) this.noteImport(statement);
  }

  found(): boolean {
    return this.file.statements.some(
      (statement) => !ts.isImportDeclaration(statement) && this.in(statement, this.file),
    );
  }

  /** The file is not bound yet, so its nodes do not know their parents. */
  private in(node: ts.Node, parent: ts.Node): boolean {
    if (ts.isIdentifier(node)) return this.isMention(node, parent);
    if (ts.isStringLiteralLike(node)) return this.names.modules.has(node.text);
    if (ts.isMetaProperty(node)) return true;
    const body = this.readsBodies ? undefined : hiddenBody(node);
    return ts.forEachChild(node, (child) => child !== body && this.in(child, node)) ?? false;
  }

  private isMention(node: ts.Identifier, parent: ts.Node): boolean {
    const { text } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return this.names.members.has(text);
    if (ts.isQualifiedName(parent) && parent.right === node) return false;
    const named = (parent as ts.NamedDeclaration).name === node;
    if (named && !ts.isShorthandPropertyAssignment(parent)) return false;
    return this.imported.has(text) || this.names.globals.has(text) || this.names.members.has(text);
  }

  private noteImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    if (!importClause || !this.names.modules.has((moduleSpecifier as ts.StringLiteral).text)) return;
    const { name, namedBindings } = importClause;
    if (name) this.imported.add(name.text);
    if (!namedBindings) return;
    if (ts.isNamespaceImport(namedBindings)) this.imported.add(namedBindings.name.text);
    else for (const element of namedBindings.elements) this.imported.add(element.name.text);
  }
}

/** The body of a function whose return type is written down. Such a body does not affect the signature. */
function hiddenBody(node: ts.Node): ts.Node | undefined {
  if (!ts.isFunctionLike(node)) return undefined;
  const { body } = node as ts.FunctionLikeDeclaration;
  const declared = node.type !== undefined || ts.isConstructorDeclaration(node) || ts.isSetAccessor(node);
  return body && declared && !hasClass(body) ? body : undefined;
}

function hasClass(node: ts.Node): boolean {
  return ts.isClassLike(node) || (ts.forEachChild(node, hasClass) ?? false);
}

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
