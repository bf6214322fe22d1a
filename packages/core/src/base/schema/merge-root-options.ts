import { definitionsOf, followReferences, isSchema, type JsonSchema } from '@toolwright/manifest';

/**
 * Makes one object of an input whose root is a choice or a combination of objects: its properties are those of all
 * of them, required where every option requires them. Clients refuse `anyOf`, `oneOf` and `allOf` at the root, and
 * the natural schema still decides which arguments are taken.
 */
export function mergeRootOptions(root: JsonSchema): JsonSchema {
  const definitions = definitionsOf(root);
  // An option that is a reference stands for its definition; one that leads nowhere stays, and says nothing.
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

/** What at least one option allows. */
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

/** What both say together. */
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

/** Literals become one enum, so that the model sees the discriminator's values; the rest becomes a choice. */
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
