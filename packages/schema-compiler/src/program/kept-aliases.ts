import { getOrMake } from '@toolwright/json';
import { withoutParentheses } from '../docs/accessed-members.js';
import { ts } from '../generator/tjs-adapter.js';
import { meaningOf } from '../types/members.js';

/** The primitive types whose aliases TypeScript drops. */
const PRIMITIVES: Partial<Record<ts.SyntaxKind, ts.TypeFlags>> = {
  [ts.SyntaxKind.StringKeyword]: ts.TypeFlags.String,
  [ts.SyntaxKind.NumberKeyword]: ts.TypeFlags.Number,
  [ts.SyntaxKind.BooleanKeyword]: ts.TypeFlags.Boolean,
  [ts.SyntaxKind.BigIntKeyword]: ts.TypeFlags.BigInt,
};

/** The aliases of a file that may have to be kept, each with its type as written. */
type Written = ReadonlyMap<ts.TypeAliasDeclaration, ts.TypeNode>;

/** A primitive type with the name of an alias. */
interface KeptAlias {
  readonly symbol: ts.Symbol;
  /** The aliases that it consists of, itself first: `type Five = integer` has the two. */
  readonly chain: readonly ts.Symbol[];
}

const files = new WeakMap<ts.SourceFile, Written>();
const kept = new WeakMap<ts.Type, KeptAlias>();

/**
 * TypeScript drops an alias of a primitive type when it resolves types. With `type integer = number`, `integer[]`,
 * `integer | null` and `Promise<integer>` would contain a plain number. A `Share` with `@maximum 1` would lose
 * its limit in the same way.
 *
 * So each such alias gets a type of its own. Its declaration becomes `{}`, for which the checker makes an object
 * with the name of the alias, and this object gets the flags of the primitive. The checker looks at the flags
 * only. So the type is assignable to the primitive and back, conditional types do not take it for an object,
 * template types accept it, and it stays in arrays, unions, generics and inference like any other type.
 *
 * Call this before the checker resolves the first type.
 */
export function keepAliases(program: ts.Program, checker: ts.TypeChecker): void {
  const all = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file));
  const written = new Map(all.flatMap((file) => [...aliasesOf(file)]));
  // An earlier program of the same process may have changed the declarations.
  for (const [alias, node] of written) setType(alias, node);
  const found = [...written.keys()].flatMap((alias) => {
    const symbol = checker.getSymbolAtLocation(alias.name);
    const meant = symbol && resolve(symbol, checker);
    return meant ? [{ alias, symbol, ...meant }] : [];
  });
  for (const { alias } of found) setType(alias, emptyType(written.get(alias)!));
  for (const { symbol, flags, chain } of found) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    // Two declarations of one name are an error of the source.
    if (type.aliasSymbol !== symbol) continue;
    type.flags = flags;
    kept.set(type, { symbol, chain });
  }
}

/** The alias whose primitive type this is. */
export function keptAlias(type: ts.Type): KeptAlias | undefined {
  return kept.get(type);
}

/** Whether a type is the `integer` of core, or another alias of number with this name. */
export function isInteger(type: ts.Type): boolean {
  return (
    !!(type.flags & ts.TypeFlags.Number) && !!kept.get(type)?.chain.some(({ name }) => name === 'integer')
  );
}

/** Follows an alias from name to name to a primitive type. No type is resolved. */
function resolve(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
): { flags: ts.TypeFlags; chain: ts.Symbol[] } | undefined {
  const chain: ts.Symbol[] = [];
  for (let at: ts.Symbol | undefined = symbol; at && !chain.includes(at);) {
    const declaration: ts.Declaration | undefined = at.declarations?.find(ts.isTypeAliasDeclaration);
    if (!declaration || !ts.isTypeAliasDeclaration(declaration) || declaration.typeParameters)
      return undefined;
    chain.push(at);
    const node = withoutParentheses(declaration.type);
    const flags = PRIMITIVES[node.kind];
    if (flags !== undefined) return { flags, chain };
    at = ts.isTypeReferenceNode(node) && !node.typeArguments ? meaningOf(node.typeName, checker) : undefined;
  }
  return undefined;
}

function aliasesOf(file: ts.SourceFile): Written {
  return getOrMake(files, file, () => findAliases(file));
}

/** The aliases with a doc comment or with the name `integer` whose type is a primitive or another name. */
function findAliases(file: ts.SourceFile): Written {
  const found = new Map<ts.TypeAliasDeclaration, ts.TypeNode>();
  const visit = (node: ts.Node): void => {
    if (!ts.isTypeAliasDeclaration(node)) return ts.forEachChild(node, visit);
    const written = withoutParentheses(node.type);
    const isName = ts.isTypeReferenceNode(written) && !written.typeArguments;
    if (node.typeParameters || !(isName || written.kind in PRIMITIVES)) return;
    if (node.name.text === 'integer' || hasDocs(node, file)) found.set(node, node.type);
  };
  // In a declaration file, aliases are statements of the file or of a module in it.
  const visitStatements = (statements: readonly ts.Statement[]): void => {
    for (const statement of statements) {
      if (ts.isTypeAliasDeclaration(statement)) visit(statement);
      else if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body))
        visitStatements(statement.body.statements);
    }
  };
  if (file.isDeclarationFile) visitStatements(file.statements);
  else visit(file);
  return found;
}

/** Doc comments of packages are parsed later, so this looks at the text. */
function hasDocs({ pos }: ts.Node, { text }: ts.SourceFile): boolean {
  return (ts.getLeadingCommentRanges(text, pos) ?? []).some((range) => text.startsWith('/**', range.pos));
}

function setType(alias: ts.TypeAliasDeclaration, type: ts.TypeNode): void {
  (alias as { type: ts.TypeNode }).type = type;
}

/** `{}` in the place of another node, as the binder would leave it. */
function emptyType(replaced: ts.TypeNode): ts.TypeNode {
  const node = ts.setTextRange(ts.factory.createTypeLiteralNode([]), replaced);
  const literal = node as { flags: ts.NodeFlags; parent?: ts.Node; symbol?: ts.Symbol };
  literal.flags = replaced.flags;
  literal.parent = replaced.parent;
  literal.symbol = new SymbolOf(ts.SymbolFlags.TypeLiteral, '__type' as ts.__String);
  return node;
}

const { objectAllocator } = ts as unknown as {
  objectAllocator: { getSymbolConstructor(): new (flags: ts.SymbolFlags, name: ts.__String) => ts.Symbol };
};
const SymbolOf = objectAllocator.getSymbolConstructor();
