import { keptAlias } from '../program/kept-aliases.js';
import { ts } from '../generator/tjs-adapter.js';
import { isLibraryType } from '../types/classify-type.js';
import { copiedBy, memberAt, writtenType } from './accessed-members.js';

/** A type of hundreds of members is not compared further. */
const MOST = 500;

const PLAIN =
  ts.TypeFlags.String |
  ts.TypeFlags.Number |
  ts.TypeFlags.BigInt |
  ts.TypeFlags.Boolean |
  ts.TypeFlags.TemplateLiteral;

/** What a type of another package has made. */
interface Taken {
  readonly made: ts.Type;
  /** Its type arguments. */
  readonly given: readonly ts.Type[];
  /** Whether it takes what functions return, and so nothing of their parameters. */
  readonly isReturned: boolean;
}

/**
 * The members of type arguments that a type of another package may have taken values from: `Get<{ login: Login }, 'login.pin'>`
 * is `string`, and nothing is left that leads to `pin`. Members count whose type is that of such a value, and whose name, if
 * the value has one.
 */
export function* takenFrom(taken: Taken, checker: ts.TypeChecker): Generator<ts.Symbol> {
  const values = [...plainValues(taken.made, checker, new Set())];
  if (values.length === 0) return;
  for (const { symbol, type } of membersOf(taken, checker)) {
    const own = withoutNothing(type, checker);
    const isTaken = values.some(
      (value) => value.type === own && (value.name === undefined || value.name === symbol.name),
    );
    if (isTaken) yield symbol;
  }
}

interface PlainValue {
  readonly type: ts.Type;
  /** The property that has it, if it is one. */
  readonly name?: string;
}

/** Texts, numbers and the like that have no member of their own. */
function* plainValues(
  given: ts.Type,
  checker: ts.TypeChecker,
  seen: Set<ts.Type>,
  name?: string,
): Generator<PlainValue> {
  const type = withoutNothing(given, checker);
  if (type.flags & PLAIN) {
    if (!keptAlias(given)) yield { type, ...(name !== undefined && { name }) };
    return;
  }
  if (seen.has(type) || seen.size > MOST) return;
  seen.add(type);
  if (type.isUnionOrIntersection())
    for (const part of type.types) yield* plainValues(part, checker, seen, name);
  else if (checker.isArrayType(type) || checker.isTupleType(type)) {
    // A label leads to the member: `Parameters` keeps the parameter.
    const { labeledElementDeclarations: labels } = (type as ts.TupleTypeReference).target;
    for (const [index, part] of checker.getTypeArguments(type as ts.TypeReference).entries())
      if (!labels?.[index]) yield* plainValues(part, checker, seen, name);
  } else if (type.flags & ts.TypeFlags.Object && !isLibraryType(type))
    for (const property of checker.getPropertiesOfType(type))
      if (!property.declarations?.length && !copiedBy(property, checker)?.declarations?.length)
        yield* plainValues(checker.getTypeOfSymbol(property), checker, seen, property.name);
}

/** All members of types, at any depth, and what the functions among them take and return. */
function* membersOf(
  { given, isReturned }: Taken,
  checker: ts.TypeChecker,
): Generator<{ symbol: ts.Symbol; type: ts.Type }> {
  const seen = new Set<ts.Type>();
  const waiting = [...given];
  for (let type = waiting.pop(); type && seen.size < MOST; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type.isUnionOrIntersection()) waiting.push(...type.types);
    if (checker.isArrayType(type) || checker.isTupleType(type))
      waiting.push(...checker.getTypeArguments(type as ts.TypeReference));
    if (!(type.flags & ts.TypeFlags.Object) || isLibraryType(type)) continue;
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      yield* accessedIn(signature.getDeclaration()?.type);
      waiting.push(signature.getReturnType());
      if (!isReturned) for (const symbol of signature.getParameters()) yield* member(symbol);
    }
    for (const symbol of checker.getPropertiesOfType(type)) yield* member(symbol);
  }
  function* member(symbol: ts.Symbol): Generator<{ symbol: ts.Symbol; type: ts.Type }> {
    const type = checker.getTypeOfSymbol(symbol);
    yield { symbol, type };
    yield* accessedIn(writtenType(symbol)?.node);
    waiting.push(type);
  }
  function* accessedIn(node: ts.Node | undefined): Generator<{ symbol: ts.Symbol; type: ts.Type }> {
    if (!node || ts.isTypeLiteralNode(node) || node.getSourceFile().isDeclarationFile) return;
    const symbol = ts.isTypeNode(node) ? memberAt({ node }, checker) : undefined;
    if (symbol) yield* member(symbol);
    else for (const child of childrenOf(node)) yield* accessedIn(child);
  }
}

function withoutNothing(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  return type.isUnion() ? checker.getNonNullableType(type) : type;
}

/** The types that are written as type arguments, also as those of type arguments. */
export function typesIn(node: ts.TypeReferenceNode): ts.TypeNode[] {
  const { typeArguments = [] } = node;
  return typeArguments.flatMap((each) => [each, ...(ts.isTypeReferenceNode(each) ? typesIn(each) : [])]);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}
