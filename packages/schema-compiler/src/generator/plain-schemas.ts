import { type Definition, ts } from './tjs-adapter.js';
import { type SchemaRole, acceptsNull, acceptsUndefined, isNothing } from '../types/members.js';
import { distinct } from '@toolwright/json';

type Literal = string | number | boolean;

/**
 * A union in the form of typescript-json-schema: literals in one enum, bare types in one `type` list, the
 * rest in `anyOf`. Numbers are sorted as numbers, and equal members appear once.
 */
export function unionSchema(
  members: readonly ts.Type[],
  definition: Definition,
  define: (member: ts.Type) => Definition,
): Definition {
  const literals: Literal[] = [];
  const types: string[] = [];
  const schemas: Definition[] = [];
  const addType = (type: string) => {
    if (!types.includes(type)) types.push(type);
  };
  for (const member of members) {
    const literal = literalOf(member);
    if (literal !== undefined) {
      if (!literals.includes(literal)) literals.push(literal);
      continue;
    }
    const schema = define(member);
    if (isBigintLiteral(member)) {
      literals.push(...valuesOf(schema).filter((value) => !literals.includes(value)));
      continue;
    }
    if (schema.type === 'undefined') continue;
    const { description, ...bare } = schema;
    // `UserId | null` is a short list of types, which has the description of `UserId`.
    if (description !== undefined && definition.description === undefined && isOnlyType(bare)) {
      definition.description = description;
      addType(bare.type as string);
      continue;
    }
    if (isOnlyType(schema)) addType(schema.type as string);
    else if (!schemas.some((other) => JSON.stringify(other) === JSON.stringify(schema))) schemas.push(schema);
  }
  if (literals.includes(true) && literals.includes(false) && literals.length === 2) types.push('boolean');
  else if (literals.length > 0) schemas.push(enumSchema(literals));
  if (types.length > 0) schemas.push({ type: types.length === 1 ? types[0]! : types });
  if (schemas.length !== 1) return Object.assign(definition, { anyOf: schemas });
  const description = definition.description;
  Object.assign(definition, schemas[0]);
  if (description !== undefined) definition.description = description;
  return definition;
}

const isOnlyType = (schema: Definition) =>
  typeof schema.type === 'string' && Object.keys(schema).length === 1;

/** The value of a literal type, also of a branded one. */
export function literalOf(type: ts.Type): Literal | undefined {
  if (type.isIntersection()) {
    const carrier = type.types.find((part) => part.flags & ts.TypeFlags.Literal);
    return carrier && literalOf(carrier);
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as ts.Type & { intrinsicName: string }).intrinsicName === 'true';
  }
  return undefined;
}

/** A bigint has several forms in JSON, and its schema lists them. */
function isBigintLiteral(type: ts.Type): boolean {
  return type.isIntersection()
    ? type.types.some(isBigintLiteral)
    : !!(type.flags & ts.TypeFlags.BigIntLiteral);
}

function valuesOf({ enum: values, const: only }: Definition): Literal[] {
  return (values as Literal[] | undefined) ?? [only as Literal];
}

/** One of several values. Numbers are in their order. */
export function enumSchema(values: Literal[]): Definition {
  const kinds = new Set(values.map((value) => typeof value));
  const numeric = kinds.size === 1 && kinds.has('number');
  const sorted = numeric ? (values as number[]).sort((a, b) => a - b) : values.sort();
  const schema: Definition = sorted.length > 1 ? { enum: sorted } : { const: sorted[0] };
  if (kinds.size === 1) schema.type = [...kinds][0]!;
  return schema;
}

/** The values of an enum, which several declarations may describe. A computed member may be any number. */
export function enumDefinition(type: ts.Type, checker: ts.TypeChecker): Definition {
  const declarations = type.getSymbol()?.declarations ?? [];
  const members = declarations.flatMap((each): readonly ts.EnumMember[] =>
    ts.isEnumDeclaration(each) ? each.members : ts.isEnumMember(each) ? [each] : [],
  );
  const values = [...new Set(members.map((member) => checker.getConstantValue(member)))];
  const types = [...new Set(values.map((value) => (value === undefined ? 'number' : typeof value)))];
  const said: Definition = types.length > 0 ? { type: types.length === 1 ? types[0]! : types } : {};
  if (values.length === 0 || values.includes(undefined)) return said;
  return { ...said, ...(values.length > 1 ? { enum: values } : { const: values[0] }) };
}

interface TupleParts {
  readonly define: (element: ts.Type, isOptional: boolean, label?: ts.Declaration) => Definition;
  /** Called when a list with the elements in another order fits the schema, too. */
  readonly onAnyOrder: () => void;
}

/**
 * A tuple in 2020-12. `prefixItems` describes the elements with a fixed position. `items` describes
 * everything from a rest element on, including the elements after it, because their position depends on the
 * length.
 */
export function tupleSchema(
  type: ts.TupleTypeReference,
  elements: readonly ts.Type[],
  { define, onAnyOrder }: TupleParts,
): Definition {
  const { elementFlags, labeledElementDeclarations } = type.target;
  const firstOpen = elementFlags.findIndex((flags) => flags & ts.ElementFlags.Variable);
  const fixed = firstOpen === -1 ? elements : elements.slice(0, firstOpen);
  const prefixItems = fixed.map((element, index) => {
    const label = labeledElementDeclarations?.[index];
    const isOptional = !!(elementFlags[index]! & ts.ElementFlags.Optional);
    return { ...define(element, isOptional, label), ...(label && { title: label.name.getText() }) };
  });
  const schema: Definition = {
    type: 'array',
    minItems: elementFlags.filter((flags) => flags & ts.ElementFlags.Required).length,
  };
  if (prefixItems.length > 0) schema.prefixItems = prefixItems;
  if (firstOpen === -1) return { ...schema, maxItems: elements.length };
  const items = anyOf(elements.slice(firstOpen).map((element) => define(element, false)));
  if (items.anyOf && firstOpen < elements.length - 1) onAnyOrder();
  return { ...schema, items };
}

function anyOf(schemas: Definition[]): Definition {
  const parts = distinct(schemas);
  return parts.length === 1 ? parts[0]! : { anyOf: parts };
}

/** A list in a result keeps its length, so JSON has null for an item without a value. */
export function itemDefinition(
  { checker, role }: { checker: ts.TypeChecker; role: SchemaRole },
  type: ts.Type,
  define: (type: ts.Type) => Definition,
): Definition {
  if (isNothing(type) && acceptsUndefined(type)) return { type: 'null' };
  if (role === 'input' || !acceptsUndefined(type) || acceptsNull(type)) return define(type);
  const schema = define(checker.getNonNullableType(type));
  const isBare = typeof schema.type === 'string' && Object.keys(schema).length === 1;
  return isBare ? { type: [schema.type as string, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}

/** Adds tags such as `@items.minimum 1` to the schema of the items. */
export function applyItemTags(definition: Definition): void {
  const tags = definition['~items'] as Definition | undefined;
  if (!tags) return;
  delete definition['~items'];
  definition.items = { ...(definition.items as object), ...tags };
}

/**
 * The name of a primitive type. typescript-json-schema prints each type before it looks at it, and that took
 * a third of its time.
 */
export function primitiveName({ flags }: ts.Type): string | undefined {
  if (flags & ts.TypeFlags.String) return 'string';
  if (flags & ts.TypeFlags.Number) return 'number';
  if (flags & ts.TypeFlags.Boolean) return 'boolean';
  return flags & ts.TypeFlags.Null ? 'null' : undefined;
}
