import { jsonTypeOf } from '../base/json-values.js';
import { type JsonSchema, distinct } from '../schema/json-schema.js';
import { LIMITS } from '../schema/keywords.js';

const [LOWER, UPPER] = [new Set<string>(LIMITS.lower), new Set<string>(LIMITS.upper)];
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
  // `@Max(Infinity)` says that there is no limit. JSON would write null.
  if (value === (UPPER.has(keyword) ? Infinity : LOWER.has(keyword) ? -Infinity : undefined)) return schema;
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

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns the schema that a reference points to, with the keywords beside the reference. Returns other schemas
 * unchanged.
 */
export type ResolveSchema = (schema: JsonSchema) => JsonSchema;

/** Whether values of a JSON type are kept. */
type Wanted = (type: string) => boolean;

/**
 * The part of a schema whose values have certain JSON types.
 *
 * @returns undefined if no values are left; the schema itself if nothing has to be removed
 */
export function keepTypes(
  schema: JsonSchema,
  wanted: Wanted,
  resolve: ResolveSchema,
): JsonSchema | undefined {
  if (schema.$ref !== undefined) {
    const target = resolve(schema);
    const kept = target.$ref === undefined ? keepTypes(target, wanted, resolve) : schema;
    return kept === target ? schema : kept;
  }
  if (schema.const !== undefined) return wanted(jsonTypeOf(schema.const)) ? schema : undefined;
  if (schema.enum) return keepValues(schema, schema.enum, wanted);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return keepOptions(schema, options, { wanted, resolve });
  if (schema.type === undefined) return schema;
  const types = [schema.type].flat();
  const kept = types.filter((type) => wanted(type) || (type === 'integer' && wanted('number')));
  if (kept.length === types.length) return schema;
  return kept.length === 0 ? undefined : { ...schema, type: kept.length === 1 ? kept[0]! : kept };
}

/** Whether a schema may accept a value of one of the types in question. */
export function mayBe(schema: JsonSchema, asked: Wanted, resolve: ResolveSchema, depth = 0): boolean {
  if (schema.$ref !== undefined) {
    const { $ref: _ref, ...target } = resolve(schema);
    return depth > MAX_REFERENCES || mayBe(target, asked, resolve, depth + 1);
  }
  if (excludes(schema, asked)) return false;
  if (schema.const !== undefined) return asked(jsonTypeOf(schema.const));
  if (schema.enum) return schema.enum.some((value) => asked(jsonTypeOf(value)));
  if (schema.allOf && !schema.allOf.every((part) => mayBe(part, asked, resolve, depth + 1))) return false;
  const options = schema.anyOf ?? schema.oneOf;
  if (options && !options.some((part) => mayBe(part, asked, resolve, depth + 1))) return false;
  if (schema.type === undefined) return options ? true : TYPES.some(asked);
  return [schema.type].flat().some((type) => asked(type === 'integer' ? 'number' : type));
}

/** Deeper, two types only contain each other. */
const MAX_REFERENCES = 20;

const TYPES = ['null', 'string', 'number', 'boolean', 'array', 'object'];

/** Whether `not` refuses all values of the types in question. Only null has just one value. */
function excludes({ not }: JsonSchema, asked: Wanted): boolean {
  if (!not || typeof not !== 'object' || TYPES.some((type) => type !== 'null' && asked(type))) return false;
  return not.type === 'null' || not.const === null || (not.enum?.includes(null) ?? false);
}

function keepValues(schema: JsonSchema, values: readonly unknown[], wanted: Wanted): JsonSchema | undefined {
  const kept = values.filter((value) => wanted(jsonTypeOf(value)));
  if (kept.length === values.length) return schema;
  if (kept.length === 0) return undefined;
  const type = schema.type === undefined ? [] : [schema.type].flat().filter((each) => wanted(each));
  const { type: _type, ...others } = schema;
  return { ...others, ...(type.length > 0 ? { type: type.length === 1 ? type[0]! : type } : {}), enum: kept };
}

function keepOptions(
  schema: JsonSchema,
  options: readonly JsonSchema[],
  { wanted, resolve }: { wanted: Wanted; resolve: ResolveSchema },
): JsonSchema | undefined {
  const kept = options.map((option) => keepTypes(option, wanted, resolve));
  if (kept.every((option, index) => option === options[index])) return schema;
  const left = kept.filter((option) => option !== undefined);
  if (left.length === 0) return undefined;
  const { anyOf, oneOf: _oneOf, ...others } = schema;
  if (left.length === 1) return { ...left[0], ...others };
  return { ...others, [anyOf ? 'anyOf' : 'oneOf']: left };
}
