import type { JsonSchema } from '../json-schema.js';

/** Limits where the greater value is the stricter one. */
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that cannot contradict each other. */
const FREE = new Set(['type', 'uniqueItems', 'contentEncoding', 'contentMediaType']);

/** Adds keywords to a schema, so that both the old and the new ones apply. */
export function addKeywords(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  let result = schema;
  for (const [keyword, value] of Object.entries(keywords)) result = addKeyword(result, keyword, value);
  return result;
}

function addKeyword(schema: JsonSchema, keyword: string, value: unknown): JsonSchema {
  const known = schema[keyword];
  if (keyword === 'enum') return addEnum(schema, value as unknown[]);
  // A pattern is more exact than the format that comes from the type.
  if (keyword === 'pattern' && schema.format === 'date-time') {
    const { format: _format, ...others } = schema;
    return addKeyword(others, keyword, value);
  }
  if (keyword === 'allOf')
    return { ...schema, allOf: distinct([...(schema.allOf ?? []), ...(value as JsonSchema[])]) };
  if (known === undefined) return { ...schema, [keyword]: value };
  if (same(known, value)) return schema;
  const excluded = keyword === 'not' && excludedBy(known as JsonSchema, value as JsonSchema);
  if (excluded) return { ...schema, not: { enum: excluded } };
  if (FREE.has(keyword)) return keyword === 'type' ? { ...schema, type: value as string } : schema;
  if (LOWER.has(keyword)) return { ...schema, [keyword]: Math.max(known as number, value as number) };
  if (UPPER.has(keyword)) return { ...schema, [keyword]: Math.min(known as number, value as number) };
  return { ...schema, allOf: distinct([...(schema.allOf ?? []), { [keyword]: value }]) };
}

/** The values that two `not` refuse together, if they only list values. */
function excludedBy(one: JsonSchema, other: JsonSchema): unknown[] | undefined {
  const values = [one, other].map((not) => not.enum ?? (not.const === undefined ? undefined : [not.const]));
  const isList = [one, other].every((not) => Object.keys(not).length === 1);
  return isList && values[0] && values[1] ? [...new Set([...values[0], ...values[1]])] : undefined;
}

/**
 * Values of the type that the check refuses are useless, so they are removed. If no value is left, the check
 * decides.
 */
function addEnum(schema: JsonSchema, values: unknown[]): JsonSchema {
  const known = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const both = known?.filter((value) => values.includes(value));
  if (both && both.length === known!.length) return schema;
  const left = both && both.length > 0 ? both : values;
  const { const: _const, enum: _enum, ...others } = schema;
  const typed =
    others.type === undefined && others.anyOf === undefined && others.$ref === undefined
      ? typeOfAll(left)
      : {};
  return { ...others, ...typed, ...(left.length === 1 ? { const: left[0] } : { enum: left }) };
}

function typeOfAll(values: readonly unknown[]): JsonSchema {
  const types = [...new Set(values.map((value) => typeof value))];
  return types.length === 1 && types[0] !== 'object' ? { type: types[0]! } : {};
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
