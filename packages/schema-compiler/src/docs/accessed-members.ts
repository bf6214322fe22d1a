import { ts } from '../generator/tjs-adapter.js';
import { behindImports } from '../types/members.js';

/** How TypeScript replaces the type parameters of a declaration at one of its uses. */
export type TypeMapper = Readonly<Record<string, unknown>>;

/** A type as its author wrote it, at a use that gives its type parameters their types. */
export interface WrittenType {
  readonly node: ts.TypeNode;
  readonly mapper?: TypeMapper | undefined;
}

/** What TypeScript keeps of a property that it made: for a mapped type, an intersection, or an instance of a generic type. */
interface Links {
  mappedType?: ts.Type & {
    declaration: ts.MappedTypeNode;
    typeParameter?: ts.TypeParameter;
    mapper?: TypeMapper;
  };
  keyType?: ts.Type;
  mapper?: TypeMapper;
  syntheticOrigin?: ts.Symbol;
  /** The property of a generic type that this is an instance of. */
  target?: ts.Symbol;
  /** The intersection whose parts declare the property. */
  containingType?: ts.Type;
  leftSpread?: ts.Symbol;
  rightSpread?: ts.Symbol;
}

export function linksOf(symbol: ts.Symbol): Links {
  return (symbol as ts.Symbol & { links?: Links }).links ?? {};
}

/** The type of a property or a parameter as written. */
export function writtenType(symbol: ts.Symbol): WrittenType | undefined {
  const node = (symbol.declarations?.[0] as { type?: ts.TypeNode } | undefined)?.type;
  return node && { node, mapper: mapperOf(symbol) };
}

function mapperOf(symbol: ts.Symbol): TypeMapper | undefined {
  const { mapper, syntheticOrigin } = linksOf(symbol);
  return mapper ?? (syntheticOrigin && mapperOf(syntheticOrigin));
}

/** The part behind the colon of the mapped type that has made a property: `T[K]` of `{ [K in Keys]: T[K] }`. */
export function templateOf(symbol: ts.Symbol): WrittenType | undefined {
  const { mappedType, keyType } = linksOf(symbol);
  if (!mappedType?.declaration.type || !mappedType.typeParameter || !keyType) return undefined;
  const { declaration, mapper } = mappedType;
  const key = replacing([mappedType.typeParameter], [keyType]);
  return { node: declaration.type!, mapper: mapper ? { kind: MERGED, mapper1: mapper, mapper2: key } : key };
}

/**
 * The property that a property of a mapped type copies. TypeScript knows it for keys of the form `keyof T` only, and not
 * for `{ [K in Exclude<keyof T, 'id'>]: T[K] }`.
 */
export function copiedBy(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { syntheticOrigin } = linksOf(symbol);
  const made = syntheticOrigin ? undefined : templateOf(symbol);
  const access = made && accessIn(made.node);
  return access ? memberAt({ ...made, node: access }, checker) : syntheticOrigin;
}

/**
 * Whether a mapped type makes a list or an object of the values of a property: `{ [K in keyof T]: T[K][] }` and
 * `{ [K in keyof T]: { value: T[K] } }`. The limits of the property are those of what is inside.
 */
export function isWrapped(symbol: ts.Symbol): boolean {
  const made = templateOf(symbol);
  return !!made && (ts.isTypeLiteralNode(made.node) || itemOf(made.node) !== undefined);
}

/** The `T[K]` in `T[K] | null` and `Partial<T[K]>`. */
function accessIn(node: ts.Node): ts.IndexedAccessTypeNode | undefined {
  if (ts.isIndexedAccessTypeNode(node)) return node;
  if (ts.isTypeLiteralNode(node) || ts.isFunctionTypeNode(node) || ts.isMappedTypeNode(node))
    return undefined;
  return ts.forEachChild(node, accessIn);
}

const LISTS = new Set(['Array', 'ReadonlyArray', 'Set', 'ReadonlySet', 'Iterable']);

/** The type of the items of a list, as it is written. */
export function itemOf(node: ts.TypeNode): ts.TypeNode | undefined {
  if (ts.isArrayTypeNode(node)) return node.elementType;
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return itemOf(withoutParentheses(node.type));
  const isList = ts.isTypeReferenceNode(node) && LISTS.has(node.typeName.getText());
  return isList ? node.typeArguments?.[0] : undefined;
}

export function withoutParentheses(node: ts.TypeNode): ts.TypeNode {
  return ts.isParenthesizedTypeNode(node) ? withoutParentheses(node.type) : node;
}

/** TypeScript's number for a mapper that applies two, one after the other. */
const MERGED = 5;

/** TypeScript's number for a mapper with a list of types and a list of their replacements. */
const LISTED = 1;

/** Replaces type parameters by types. */
export function replacing(sources: readonly ts.Type[], targets: readonly ts.Type[]): TypeMapper {
  return { kind: LISTED, sources, targets };
}

/**
 * The type that a node means. The checker has no function for this, but it does it for a property of a generic type. So
 * the type is asked for as that of such a property.
 */
export function typeOf({ node, mapper }: WrittenType, checker: ts.TypeChecker): ts.Type {
  const type = checker.getTypeFromTypeNode(node);
  if (!mapper) return type;
  const { createSymbol } = checker as unknown as {
    createSymbol(flags: ts.SymbolFlags, name: string, checkFlags?: number): ts.Symbol & { links: object };
  };
  const generic = createSymbol(ts.SymbolFlags.Property, 'generic');
  Object.assign(generic.links, { type });
  const instance = createSymbol(ts.SymbolFlags.Property, 'instance', INSTANTIATED);
  Object.assign(instance.links, { target: generic, mapper });
  return checker.getTypeOfSymbol(instance);
}

/** TypeScript's flag of a property of a generic type at one of its uses. */
const INSTANTIATED = 1;

/** The member that a type is taken from: `Login['pin']`, `Parameters<typeof check>[0]`, and `T[K]` for one key. */
export function memberAt(written: WrittenType, checker: ts.TypeChecker): ts.Symbol | undefined {
  const members = membersAt(written, checker);
  return members.length === 1 ? members[0] : undefined;
}

/** The members that a type is taken from, one for each key. */
export function membersAt({ node, mapper }: WrittenType, checker: ts.TypeChecker): ts.Symbol[] {
  if (!ts.isIndexedAccessTypeNode(node)) return [];
  const holder = typeOf({ node: node.objectType, mapper }, checker);
  const keys = typeOf({ node: node.indexType, mapper }, checker);
  return (keys.isUnion() ? keys.types : [keys]).flatMap((key) => memberOf(holder, key, checker) ?? []);
}

function memberOf(holder: ts.Type, key: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (key.isStringLiteral()) return checker.getPropertyOfType(holder, key.value);
  if (!key.isNumberLiteral()) return undefined;
  const { labeledElementDeclarations } = ((holder as ts.TupleTypeReference).target ??
    {}) as Partial<ts.TupleType>;
  const element = labeledElementDeclarations?.[key.value] as (ts.Node & { symbol?: ts.Symbol }) | undefined;
  return element?.symbol;
}

/** A property whose type a condition takes, and the type parameter that it becomes. */
interface Inferred {
  readonly member: ts.Symbol;
  readonly parameter: ts.TypeParameterDeclaration;
}

/** The properties whose types a condition takes: `pin` for the P of `T extends { pin: infer P } ? P : never`. */
export function membersInferred(
  { node, mapper }: WrittenType & { node: ts.ConditionalTypeNode },
  checker: ts.TypeChecker,
): Inferred[] {
  const inferred = (pattern: ts.TypeNode, holder: ts.Type): Inferred[] => {
    if (!ts.isTypeLiteralNode(pattern)) return [];
    return pattern.members.filter(ts.isPropertySignature).flatMap(({ name, type }) => {
      const member = ts.isIdentifier(name) && checker.getPropertyOfType(holder, name.text);
      if (!member || !type) return [];
      return ts.isInferTypeNode(type)
        ? [{ member, parameter: type.typeParameter }]
        : inferred(type, checker.getTypeOfSymbol(member));
    });
  };
  return inferred(node.extendsType, typeOf({ node: node.checkType, mapper }, checker));
}

/** The `infer P` that a P means, and the condition around it. */
export function inferenceOf(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
): { parameter: ts.TypeParameterDeclaration; condition: ts.ConditionalTypeNode } | undefined {
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const parameter = checker
    .getSymbolAtLocation(node.typeName)
    ?.declarations?.find(ts.isTypeParameterDeclaration);
  if (!parameter || !ts.isInferTypeNode(parameter.parent)) return undefined;
  const condition = ts.findAncestor(parameter, ts.isConditionalTypeNode);
  return condition && { parameter, condition };
}

/** The declaration that a property's type names, if its doc comment is about the values, too. */
export function referencedSymbol(property: ts.Symbol, checker: ts.TypeChecker): ts.Symbol | undefined {
  const written = isWrapped(property) ? undefined : writtenType(property);
  const accessed = written && memberAt(written, checker);
  if (accessed) return accessed;
  if (!written || !ts.isTypeReferenceNode(written.node)) return undefined;
  const symbol = checker.getSymbolAtLocation(written.node.typeName);
  if (!symbol || symbol.flags & ts.SymbolFlags.TypeParameter) return undefined;
  const target = behindImports(symbol, checker);
  return target.declarations?.[0]?.getSourceFile().hasNoDefaultLib ? undefined : target;
}
