import { type JsonSchema, definitionsOf, followReferences, schemaTypeOf } from '@toolwright/json';

/** How deep combinations are looked into. A schema of a server behind may contain itself. */
const DEEPEST = 8;

type Definitions = Readonly<Record<string, JsonSchema>>;

/** An argument, as a command line needs to know it. */
export interface ArgumentShape {
  /** The types that its value may have. Empty: any. */
  readonly types: readonly string[];
  /** All values that it may have, if the schema names them. */
  readonly members: readonly unknown[] | undefined;
  /** The shape of an item, if it is a list. */
  items(): ArgumentShape;
  /** The shape of a member, if it is an object. */
  member(name: string): ArgumentShape | undefined;
}

/** The arguments of a tool. */
export interface Arguments {
  /** By name, through references and `allOf`. A map, because an argument may have any name. An object would lose `__proto__`. */
  readonly named: ReadonlyMap<string, ArgumentShape>;
  /** The shape of arguments that the schema does not name, if it says that there may be such. */
  readonly others: ArgumentShape | undefined;
}

export function argumentShapes(schema: JsonSchema): Arguments {
  return membersIn(schema, definitionsOf(schema));
}

function membersIn(schema: JsonSchema, definitions: Definitions): Arguments {
  const named = new Map<string, ArgumentShape>();
  const open: (JsonSchema | boolean)[] = [];
  const collect = (part: JsonSchema, depth: number): void => {
    const { properties, allOf, additionalProperties, patternProperties } = followReferences(
      part,
      definitions,
    );
    for (const [name, property] of Object.entries(properties ?? {}))
      if (!named.has(name)) named.set(name, shapeOf(property, definitions));
    if (patternProperties !== undefined) open.push(true);
    else if (additionalProperties !== undefined) open.push(additionalProperties);
    if (depth < DEEPEST) for (const inner of allOf ?? []) collect(inner, depth + 1);
  };
  collect(schema, 0);
  // A schema that names arguments and is silent about others would take them. An unknown name is a mistake there.
  if (open.length === 0 && named.size === 0) open.push(true);
  const [first = false] = open;
  const isOpen = open.every((each) => each !== false) && first !== false;
  return { named, others: isOpen ? shapeOf(first === true ? {} : first, definitions) : undefined };
}

const shapeOf = (schema: JsonSchema, definitions: Definitions): ArgumentShape => ({
  types: typesOf(schema, definitions),
  members: membersOf(schema, definitions),
  items: () => shapeOf(itemsOf(schema, definitions) ?? {}, definitions),
  member: (name) => memberOf(schema, name, definitions),
});

function memberOf(
  schema: JsonSchema,
  name: string,
  definitions: Definitions,
  depth = 0,
): ArgumentShape | undefined {
  if (depth > DEEPEST || typeof schema !== 'object') return undefined;
  const { anyOf = [], oneOf = [] } = followReferences(schema, definitions);
  const { named, others } = membersIn(schema, definitions);
  const inside = [...anyOf, ...oneOf].map((part) => memberOf(part, name, definitions, depth + 1));
  return named.get(name) ?? inside.find((each) => each !== undefined && each.types.length > 0) ?? others;
}

function membersOf(schema: JsonSchema, definitions: Definitions, depth = 0): readonly unknown[] | undefined {
  if (depth > DEEPEST || typeof schema !== 'object') return undefined;
  const inside = (each: JsonSchema) => membersOf(each, definitions, depth + 1);
  const { const: constant, enum: values, anyOf, oneOf, allOf } = followReferences(schema, definitions);
  if (constant !== undefined) return [constant];
  const each = (anyOf ?? oneOf)?.map(inside);
  const all = each?.every((members) => members !== undefined) ? each.flat() : undefined;
  return values ?? all ?? allOf?.map(inside).find((members) => members !== undefined);
}

function typesOf(schema: JsonSchema, definitions: Definitions, depth = 0): readonly string[] {
  if (depth > DEEPEST || typeof schema !== 'object') return [];
  const inside = (each: JsonSchema) => typesOf(each, definitions, depth + 1);
  const { type, const: constant, enum: values, anyOf, oneOf, allOf } = followReferences(schema, definitions);
  const stated = [
    type === undefined ? [] : [type].flat(),
    constant === undefined ? [] : [schemaTypeOf(constant)],
    (values ?? []).map(schemaTypeOf),
    anyOfEach((anyOf ?? []).map(inside)),
    anyOfEach((oneOf ?? []).map(inside)),
    ...(allOf ?? []).map(inside),
  ];
  // Each of them must hold. What says nothing about types allows all.
  const [first = [], ...more] = stated.filter((types) => types.length > 0);
  return [...new Set(more.reduce(inBoth, first))];
}

/** One of some schemas holds: if one of them allows any type, all together do. */
const anyOfEach = (all: readonly (readonly string[])[]): readonly string[] =>
  all.some((types) => types.length === 0) ? [] : all.flat();

const inBoth = (some: readonly string[], others: readonly string[]): readonly string[] => [
  ...some.filter((each) => allows(others, each)),
  ...others.filter((each) => allows(some, each)),
];

/** @param each the type of a value, as `schemaTypeOf` says it */
export const allows = (types: readonly string[], each: string): boolean =>
  types.includes(each) || (each === 'integer' && types.includes('number'));

function itemsOf(schema: JsonSchema, definitions: Definitions, depth = 0): JsonSchema | undefined {
  if (depth > DEEPEST || typeof schema !== 'object') return undefined;
  const { items, anyOf, oneOf, allOf } = followReferences(schema, definitions);
  if (typeof items === 'object') return items;
  for (const part of [anyOf, oneOf, allOf].flatMap((parts) => parts ?? [])) {
    const found = itemsOf(part, definitions, depth + 1);
    if (found) return found;
  }
  return undefined;
}
