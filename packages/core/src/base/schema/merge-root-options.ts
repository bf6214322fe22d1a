import { definitionsOf, followReferences, isSchema, type JsonSchema } from '@toolwright/manifest';

/**
 * Turns an input whose root is a choice or a combination of objects into one object. It has the properties of
 * all alternatives, and a property is required if every alternative requires it. Clients refuse `anyOf`,
 * `oneOf` and `allOf` at the root. The exact schema still decides which arguments are valid.
 */
export function mergeRootOptions(root: JsonSchema): JsonSchema {
  const definitions = definitionsOf(root);
  // A reference stands for its definition. A reference to nothing stays, and adds nothing.
  return mergeOptions(root, (option) => followReferences(option, definitions));
}

function mergeOptions(root: JsonSchema, open: (option: JsonSchema) => JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, ...own } = root;
  const choice = anyOf ?? oneOf;
  if (!choice && !allOf) return root.type === 'object' ? root : { ...root, type: 'object' };
  let merged: JsonSchema = { ...own, type: 'object' };
  for (const part of allOf ?? []) merged = combine(merged, mergeOptions(open(part), open));
  if (!choice) return merged;
  const options = choice.map((option) => mergeOptions(open(option), open));
  return combine(merged, anyOneOf(options));
}

/** A schema for everything that at least one alternative allows. */
function anyOneOf(options: JsonSchema[]): JsonSchema {
  const schemas = new Map<string, JsonSchema[]>();
  for (const option of options) {
    for (const [name, schema] of Object.entries(option.properties ?? {})) {
      schemas.set(name, [...(schemas.get(name) ?? []), schema]);
    }
  }
  const properties = Object.fromEntries([...schemas].map(([name, found]) => [name, either(found)]));
  const required = [...schemas.keys()].filter((name) =>
    options.every((option) => option.required?.includes(name)),
  );
  const closed = options.every((option) => option.additionalProperties === false);
  return {
    type: 'object',
    ...(schemas.size > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
  };
}

/** A schema for what both require together. */
function combine(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties = { ...first.properties };
  for (const [name, schema] of Object.entries(second.properties ?? {})) {
    properties[name] = properties[name] ? { ...properties[name], ...schema } : schema;
  }
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * Literals become one enum, so that the model sees the values of the discriminator. The rest becomes a
 * choice.
 */
function either(schemas: JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (distinct.length === 1) return distinct[0]!;
  const values = distinct.map(literals);
  if (!values.every(isSome)) return { anyOf: distinct };
  const types = new Set(distinct.map(({ type }) => type));
  const [type] = types;
  const description = distinct.find((schema) => schema.description !== undefined)?.description;
  return {
    ...(types.size === 1 && type !== undefined ? { type } : {}),
    ...(description === undefined ? {} : { description }),
    enum: [...new Set(values.flat())],
  };
}

function literals(schema: JsonSchema): unknown[] | undefined {
  if (!isSchema(schema)) return undefined;
  return Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
}

function isSome<T>(value: T | undefined): value is T {
  return value !== undefined;
}
