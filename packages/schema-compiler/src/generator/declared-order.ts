import { type Definition, ts, isDefinition } from './tjs-adapter.js';
import { literalOf } from './plain-schemas.js';
import { meaningOf } from '../types/members.js';

type Value = string | number | boolean;

/**
 * Puts the values of a choice into the order of the source. TypeScript keeps the order in which it first saw
 * the values. Values that are not found in the source keep their order, at the end.
 *
 * @param node the type as written
 */
export function inDeclaredOrder(
  definition: Definition,
  node: ts.Node | undefined,
  checker: ts.TypeChecker,
): Definition {
  if (!node || !holdsChoice(definition)) return definition;
  const written = [...new Set(valuesOf(node, { checker, seen: new Set() }))];
  return written.length < 2 ? definition : reorder(definition, written);
}

/** Whether a definition is a choice, or contains one beside null, or as the items of a list. */
function holdsChoice({ enum: values, items, anyOf }: Definition): boolean {
  if (Array.isArray(values)) return true;
  return [items, ...((anyOf as unknown[] | undefined) ?? [])].some(
    (inner) => isDefinition(inner) && holdsChoice(inner),
  );
}

function reorder(definition: Definition, written: readonly unknown[]): Definition {
  const { enum: values, items, anyOf } = definition;
  return {
    ...definition,
    ...(Array.isArray(values) && { enum: sorted(values, written) }),
    ...(isDefinition(items) && { items: reorder(items, written) }),
    ...(Array.isArray(anyOf) && { anyOf: (anyOf as Definition[]).map((each) => reorder(each, written)) }),
  };
}

function sorted(values: readonly unknown[], written: readonly unknown[]): unknown[] {
  const known = written.filter((value) => values.includes(value));
  return [...known, ...values.filter((value) => !known.includes(value))];
}

interface Search {
  checker: ts.TypeChecker;
  /** The declarations on the way, because an alias may lead back to itself. */
  seen: Set<ts.Node>;
}

function valuesOf(node: ts.Node, search: Search): Value[] {
  const { checker, seen } = search;
  if (ts.isLiteralTypeNode(node)) {
    const value = literalOf(checker.getTypeFromTypeNode(node));
    return value === undefined ? [] : [value];
  }
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((part) => valuesOf(part, search));
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeAliasDeclaration(node)) return valuesOf(node.type, search);
  if (ts.isArrayTypeNode(node)) return valuesOf(node.elementType, search);
  if (ts.isTypeOperatorNode(node)) return ofOperator(node, search);
  if (ts.isIndexedAccessTypeNode(node))
    return ofMembers(checker.getTypeFromTypeNode(node.objectType), checker);
  if (ts.isEnumDeclaration(node))
    return node.members.flatMap((member) => checker.getConstantValue(member) ?? []);
  if (!ts.isTypeReferenceNode(node)) return [];
  const declaration = declarationOf(node.typeName, checker);
  if (declaration && !seen.has(declaration)) {
    seen.add(declaration);
    const found = valuesOf(declaration, search);
    if (found.length > 0) return found;
  }
  return (node.typeArguments ?? []).flatMap((argument) => valuesOf(argument, search));
}

function ofOperator(node: ts.TypeOperatorNode, search: Search): Value[] {
  if (node.operator !== ts.SyntaxKind.KeyOfKeyword) return valuesOf(node.type, search);
  const type = search.checker.getTypeFromTypeNode(node.type);
  return search.checker.getPropertiesOfType(type).map((property) => property.getName());
}

/** The values of `(typeof list)[number]` and `(typeof table)[keyof typeof table]`. */
function ofMembers(type: ts.Type, checker: ts.TypeChecker): Value[] {
  const members = checker.isTupleType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)
    : checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property));
  return members.flatMap((member) => literalOf(member) ?? []);
}

function declarationOf(name: ts.EntityName, checker: ts.TypeChecker): ts.Node | undefined {
  const isEither = (each: ts.Node) => ts.isTypeAliasDeclaration(each) || ts.isEnumDeclaration(each);
  return meaningOf(name, checker)?.declarations?.find(isEither);
}
