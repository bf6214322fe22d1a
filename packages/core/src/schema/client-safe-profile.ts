import { inlineReferences, isSchema, mapSchema, type JsonSchema } from '@toolwright/manifest';
import { mergeRootOptions } from './merge-root-options.js';

export interface ClientSafeOptions {
  role: 'input' | 'output';
}

/**
 * The form of a schema that clients and model providers take: no references but recursive ones, no choice at the root
 * of an input, no lists of types, tuples with `items`, and no null for what may as well be left out.
 *
 * Only for publishing: arguments and results are validated with the natural schema. An input says at most a little
 * less than the natural one takes (no null for optional properties); an output always allows at least as much, since
 * clients validate results with what was published.
 *
 * @param schema self-contained 2020-12 schema; never changed
 */
export function toClientSafe(schema: JsonSchema, { role }: ClientSafeOptions): JsonSchema {
  const inlined = inlineReferences(schema);
  const root = role === 'input' ? mergeRootOptions(inlined) : inlined;
  return simplify(root, role);
}

function simplify(schema: JsonSchema, role: ClientSafeOptions['role']): JsonSchema {
  const inner = mapSchema(role === 'input' ? dropOptionalNulls(schema) : schema, (each) =>
    simplify(each, role),
  );
  return giveItems(splitTypes(inner));
}

/** Providers refuse, or misread, a property that is optional and nullable: leaving it out says the same. */
function dropOptionalNulls(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema;
  if (!isSchema(properties)) return schema;
  const entries = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => [
    name,
    required.includes(name) || !isSchema(property) ? property : withoutNull(property),
  ]);
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
  if (schema.enum !== undefined || schema.const !== undefined) return others;
  const options = type.map((each) => ({ type: each }));
  return schema.anyOf
    ? { ...others, allOf: [...(schema.allOf ?? []), { anyOf: options }] }
    : { ...others, anyOf: options };
}

/** Several providers refuse an array without `items`; for a tuple it allows what any element may be. */
function giveItems(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'array' || !Array.isArray(schema.prefixItems)) return schema;
  const { prefixItems, ...others } = schema;
  const all = isSchema(schema.items) ? [...prefixItems, schema.items] : prefixItems;
  const distinct = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  return { ...others, items: distinct.length === 1 ? distinct[0]! : { anyOf: distinct } };
}
