import type { JsonSchema } from '../json-schema.js';

/**
 * Returns what a reference stands for, with the keywords beside the reference. Returns other schemas
 * unchanged.
 */
export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Whether values of a JSON type are kept. */
export type Wanted = (type: string) => boolean;

/**
 * The part of a schema whose values have certain JSON types.
 *
 * @returns undefined if no values are left; the schema itself if nothing has to be removed
 */
export function keepTypes(schema: JsonSchema, wanted: Wanted, resolve: Resolve): JsonSchema | undefined {
  if (schema.$ref !== undefined) {
    const target = resolve(schema);
    const kept = target.$ref === undefined ? keepTypes(target, wanted, resolve) : schema;
    return kept === target ? schema : kept;
  }
  if (schema.const !== undefined) return wanted(typeOf(schema.const)) ? schema : undefined;
  if (schema.enum) return keepValues(schema, schema.enum, wanted);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return keepOptions(schema, options, { wanted, resolve });
  if (schema.type === undefined) return schema;
  const types = [schema.type].flat();
  const kept = types.filter((type) => wanted(type) || (type === 'integer' && wanted('number')));
  if (kept.length === types.length) return schema;
  return kept.length === 0 ? undefined : { ...schema, type: kept.length === 1 ? kept[0]! : kept };
}

function keepValues(schema: JsonSchema, values: readonly unknown[], wanted: Wanted): JsonSchema | undefined {
  const kept = values.filter((value) => wanted(typeOf(value)));
  if (kept.length === values.length) return schema;
  if (kept.length === 0) return undefined;
  const type = schema.type === undefined ? [] : [schema.type].flat().filter((each) => wanted(each));
  const { type: _type, ...others } = schema;
  return { ...others, ...(type.length > 0 ? { type: type.length === 1 ? type[0]! : type } : {}), enum: kept };
}

function keepOptions(
  schema: JsonSchema,
  options: readonly JsonSchema[],
  { wanted, resolve }: { wanted: Wanted; resolve: Resolve },
): JsonSchema | undefined {
  const kept = options.map((option) => keepTypes(option, wanted, resolve));
  if (kept.every((option, index) => option === options[index])) return schema;
  const left = kept.filter((option) => option !== undefined);
  if (left.length === 0) return undefined;
  const { anyOf, oneOf: _oneOf, ...others } = schema;
  if (left.length === 1) return { ...left[0], ...others };
  return { ...others, [anyOf ? 'anyOf' : 'oneOf']: left };
}

/** The type in the terms of JSON Schema, where a whole number is a number. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
