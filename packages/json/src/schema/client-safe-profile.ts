import { type JsonSchema, isSchema, mapSchema } from './json-schema.js';
import { definitionsOf, followReferences } from './references.js';
import { inlineReferences } from './inline-references.js';
import { oncePerSchema } from '../once.js';

interface ClientSafeOptions {
  role: 'input' | 'output';
}

/**
 * The form of a schema that clients and model providers accept: no references while it stays small without
 * them, no choice at the root of an input, no lists of types, no tuples, and no null that means the same as a
 * missing value.
 *
 * This is only for publishing. Arguments and results are validated with the exact schema. An input accepts at
 * most a little less than the exact schema (no null where that is the default). An output always accepts at
 * least as much, because clients validate results with the published schema.
 *
 * @param schema complete 2020-12 schema; it is not changed
 */
export function toClientSafe(schema: JsonSchema, { role }: ClientSafeOptions): JsonSchema {
  return profiles[role](schema);
}

const profiles = { input: profileOf('input'), output: profileOf('output') };

/** The schemas of a manifest share definitions, and each definition is simplified once. */
function profileOf(role: ClientSafeOptions['role']): (schema: JsonSchema) => JsonSchema {
  const simplifyOnce = oncePerSchema((definition) => simplify(definition, role));
  return oncePerSchema((schema) => {
    const inlined = inlineReferences(schema);
    const { $defs, ...root } = role === 'input' ? mergeRootOptions(inlined) : inlined;
    const simple = simplify(root, role);
    if (!$defs) return simple;
    const definitions = Object.entries($defs).map(([name, each]) => [name, simplifyOnce(each)]);
    return { ...simple, $defs: Object.fromEntries(definitions) as Record<string, JsonSchema> };
  });
}

function simplify(schema: JsonSchema, role: ClientSafeOptions['role']): JsonSchema {
  const inner = mapSchema(role === 'input' ? dropDefaultNulls(schema) : schema, (each) =>
    simplify(each, role),
  );
  return loosenTuple(splitTypes(inner));
}

/**
 * If null is the default of a property, leaving it out means the same, and providers misread properties that
 * are both optional and nullable. Any other null has its own meaning, such as "move it to the top", and
 * stays.
 */
function dropDefaultNulls(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema;
  if (!isSchema(properties)) return schema;
  const entries = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const isSame = isSchema(property) && property.default === null && !required.includes(name);
    return [name, isSame ? withoutNull(property) : property];
  });
  return { ...schema, properties: Object.fromEntries(entries) as Record<string, JsonSchema> };
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const copy = { ...schema };
  let dropped = false;
  if (Array.isArray(copy.type) && copy.type.includes('null')) {
    const types = copy.type.filter((type) => type !== 'null');
    copy.type = types.length === 1 ? types[0]! : types;
    dropped = true;
  }
  if (Array.isArray(copy.enum) && copy.enum.includes(null) && copy.enum.length > 1) {
    copy.enum = copy.enum.filter((value) => value !== null);
    dropped = true;
  }
  const options = copy.anyOf?.filter((option) => option.type !== 'null');
  if (options && options.length > 0 && options.length < copy.anyOf!.length) {
    delete copy.anyOf;
    dropped = true;
    if (options.length === 1) Object.assign(copy, { ...options[0], ...copy });
    else copy.anyOf = options;
  }
  if (dropped && copy.default === null) delete copy.default;
  return copy;
}

/**
 * `type: ["string", "null"]` is valid, but many clients do not support it. All of them understand a choice of
 * single types.
 */
function splitTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...others } = schema;
  if (type.length === 1) return { ...others, type: type[0]! };
  if (schema.const !== undefined) return others;
  if (schema.enum !== undefined) return schema.anyOf ? others : splitEnum(schema, schema.enum);
  const options = type.map((each) => ({ type: each }));
  return schema.anyOf
    ? { ...others, allOf: [...(schema.allOf ?? []), { anyOf: options }] }
    : { ...others, anyOf: options };
}

/**
 * Google's API accepts only strings in an enum. Null and values of other types become separate alternatives.
 */
function splitEnum({ type, enum: _values, ...others }: JsonSchema, values: readonly unknown[]): JsonSchema {
  const isWhole = [type].flat().includes('integer');
  const typeOf = (value: unknown) =>
    value === null ? 'null' : typeof value === 'number' && isWhole ? 'integer' : typeof value;
  const options = [...new Set(values.map(typeOf))].map((each): JsonSchema =>
    each === 'null' ? { type: each } : { type: each, enum: values.filter((value) => typeOf(value) === each) },
  );
  return options.length === 1 ? { ...others, ...options[0] } : { ...others, anyOf: options };
}

/**
 * A tuple as a list of limited length whose items are any of its elements. No keyword for the position of an item
 * is valid in every draft: draft-07 has a list as `items`, which 2020-12 forbids, and a strict reader of draft-07,
 * such as Ajv by default, refuses the whole schema for `prefixItems`. So words say the order, which models read.
 */
function loosenTuple(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.prefixItems)) return schema;
  const { prefixItems, items, ...others } = schema;
  const { maxItems: most = Infinity, description } = schema;
  const rest = isSchema(items) ? items : undefined;
  const end = items === false ? Math.min(most, prefixItems.length) : most;
  const isOpen = !rest && end > prefixItems.length;
  return {
    ...others,
    description: [description, orderOf(prefixItems, rest)].filter(Boolean).join(' '),
    items: isOpen ? {} : anyOf(rest ? [...prefixItems, rest] : prefixItems),
    ...(end < Infinity && { maxItems: end }),
  };
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** The elements of a tuple in words: "Items in this order: text, number." */
function orderOf(elements: readonly JsonSchema[], rest: JsonSchema | undefined): string {
  const names = elements.map(wordsOf);
  return `Items in this order: ${names.join(', ')}${rest ? `, then any number of: ${wordsOf(rest)}` : ''}.`;
}

/** The label of an element, with its type. */
function wordsOf(schema: JsonSchema): string {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const words = values
    ? values.map((value) => JSON.stringify(value))
    : (schema.anyOf?.map(wordsOf) ?? [schema.type ?? schema.$ref?.split('/').at(-1) ?? 'any value'].flat());
  const type = [...new Set(words)].join(' or ');
  return schema.title ? `${schema.title} (${type})` : type;
}

/**
 * Turns an input whose root is a choice or a combination of objects into one object. It has the properties of
 * all alternatives, and a property is required if every alternative requires it. Clients refuse `anyOf`,
 * `oneOf` and `allOf` at the root. The exact schema still decides which arguments are valid.
 */
function mergeRootOptions(root: JsonSchema): JsonSchema {
  const definitions = definitionsOf(root);
  // A reference means its definition. A reference to nothing stays, and adds nothing.
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
