import { type JsonSchema, definitionsOf, followReferences, jsonTypeOf } from '@toolwright/json';

/** How deep combinations are looked into. A schema of a server behind may contain itself. */
const DEEPEST = 8;

type Definitions = Readonly<Record<string, JsonSchema>>;

/** An argument, as a command line needs to know it. */
export interface ArgumentShape {
  /** The types that its value may have. Empty: any. */
  readonly types: readonly string[];
  /** The shape of an item, if it is a list. */
  items(): ArgumentShape;
}

/** The arguments of a tool, by name, through references and `allOf`. */
export function argumentShapes(schema: JsonSchema): ReadonlyMap<string, ArgumentShape> {
  const definitions = definitionsOf(schema);
  // A map, because an argument may have any name. An object would lose `__proto__`.
  const found = new Map<string, ArgumentShape>();
  const collect = (part: JsonSchema, depth: number): void => {
    const { properties, allOf } = followReferences(part, definitions);
    for (const [name, property] of Object.entries(properties ?? {}))
      if (!found.has(name)) found.set(name, shapeOf(property, definitions));
    if (depth < DEEPEST) for (const inner of allOf ?? []) collect(inner, depth + 1);
  };
  collect(schema, 0);
  return found;
}

const shapeOf = (schema: JsonSchema, definitions: Definitions): ArgumentShape => ({
  types: typesOf(schema, definitions),
  items: () => shapeOf(itemsOf(schema, definitions) ?? {}, definitions),
});

function typesOf(schema: JsonSchema, definitions: Definitions, depth = 0): readonly string[] {
  if (depth > DEEPEST || typeof schema !== 'object') return [];
  const inside = (each: JsonSchema) => typesOf(each, definitions, depth + 1);
  const { type, const: constant, enum: values, anyOf, oneOf, allOf } = followReferences(schema, definitions);
  const stated = [
    type === undefined ? [] : [type].flat(),
    constant === undefined ? [] : [jsonTypeOf(constant)],
    (values ?? []).map(jsonTypeOf),
    anyOfEach((anyOf ?? []).map(inside)),
    anyOfEach((oneOf ?? []).map(inside)),
    ...(allOf ?? []).map(inside),
  ];
  // Each of them must hold. What says nothing about types allows all.
  const [first = [], ...more] = stated.filter((types) => types.length > 0);
  return [...new Set(first.filter((each) => more.every((types) => allows(types, each))))];
}

/** One of some schemas holds: if one of them allows any type, all together do. */
const anyOfEach = (all: readonly (readonly string[])[]): readonly string[] =>
  all.some((types) => types.length === 0) ? [] : all.flat();

const allows = (types: readonly string[], each: string): boolean =>
  types.includes(each) ||
  (each === 'integer' && types.includes('number')) ||
  (each === 'number' && types.includes('integer'));

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
