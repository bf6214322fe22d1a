import { inlineReferences, isSchema, mapSchema, type JsonSchema } from '@toolwright/manifest';
import { mergeRootOptions } from './merge-root-options.js';
import { oncePerSchema } from './once-per-schema.js';

export interface ClientSafeOptions {
  role: 'input' | 'output';
}

/**
 * The form of a schema that clients and model providers take: no references while it stays small without them, no choice
 * at the root of an input, no lists of types, tuples with `items`, and no null that says what leaving out says.
 *
 * Only for publishing: arguments and results are validated with the natural schema. An input says at most a little
 * less than the natural one takes (no null where that is the default); an output always allows at least as much, since
 * clients validate results with what was published.
 *
 * @param schema self-contained 2020-12 schema; never changed
 */
export function toClientSafe(schema: JsonSchema, { role }: ClientSafeOptions): JsonSchema {
  return profiles[role](schema);
}

const profiles = { input: profileOf('input'), output: profileOf('output') };

/** Definitions are shared by the schemas of a manifest: each is simplified once. */
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
  return giveItems(splitTypes(inner));
}

/**
 * A property that is null by default may as well be left out, and providers misread one that is optional and nullable.
 * Any other null has a meaning of its own, such as "move it to the top", and stays.
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

/** `type: ["string", "null"]` is valid and widely unsupported; a choice of single types is understood. */
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

/** Google's API takes an enum of texts alone: null, and values of other types, are choices of their own. */
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
 * A tuple in two drafts at once. Who reads 2020-12 finds the elements in `prefixItems`. Who knows older drafts alone takes
 * `items` for every element, so that it allows what any of them may be; several providers refuse an array without it.
 */
function giveItems(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'array' || !Array.isArray(schema.prefixItems)) return schema;
  const { prefixItems } = schema;
  // `items: false` ends the tuple. The bound says the same once `items` says something else.
  const end = schema.items === false && {
    maxItems: Math.min(schema.maxItems ?? Infinity, prefixItems.length),
  };
  const all = isSchema(schema.items) ? [...prefixItems, schema.items] : prefixItems;
  const distinct = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  return { ...schema, ...end, items: distinct.length === 1 ? distinct[0]! : { anyOf: distinct } };
}
