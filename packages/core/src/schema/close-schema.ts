import type { JsonSchema } from '@toolwright/manifest';

/** Keywords whose schemas describe the same value as the schema they stand in. */
const besides = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
/** Keywords whose schemas describe values inside of it. */
const within = ['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedItems'];
const withinEach = ['properties', 'patternProperties'];

/**
 * The same schema for values that have no property which it does not name, at any depth. A schema that says itself what
 * other properties may be, or says nothing of properties, stays as it is: an object of anybody's making was declared.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  const definitions = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  const namesProperties = (each: JsonSchema, seen: readonly string[] = []): boolean => {
    if (each.properties || each.patternProperties) return true;
    const { $ref } = each as { $ref?: string };
    const name = $ref?.startsWith('#/$defs/') ? $ref.slice('#/$defs/'.length) : undefined;
    if (name !== undefined && !seen.includes(name) && definitions[name])
      return namesProperties(definitions[name], [...seen, name]);
    return ['allOf', 'anyOf', 'oneOf'].some((keyword) =>
      listOf(each[keyword as keyof JsonSchema]).some((part) => namesProperties(part, seen)),
    );
  };
  const isOpen = (each: JsonSchema) =>
    !('additionalProperties' in each) && !('unevaluatedProperties' in each) && namesProperties(each);

  const walk = (each: unknown, isWhole: boolean): unknown => {
    if (Array.isArray(each)) return each.map((part) => walk(part, isWhole));
    if (typeof each !== 'object' || each === null) return each;
    const closed = Object.fromEntries(
      Object.entries(each).map(([keyword, value]) => {
        if (besides.includes(keyword) && keyword !== 'dependentSchemas') return [keyword, walk(value, false)];
        if (within.includes(keyword)) return [keyword, walk(value, true)];
        if (withinEach.includes(keyword)) return [keyword, walkEach(value, true)];
        if (keyword === '$defs' || keyword === 'dependentSchemas') return [keyword, walkEach(value, false)];
        return [keyword, value];
      }),
    );
    return isWhole && isOpen(each as JsonSchema) ? { ...closed, unevaluatedProperties: false } : closed;
  };
  const walkEach = (schemas: unknown, isWhole: boolean) =>
    Object.fromEntries(
      Object.entries((schemas ?? {}) as object).map(([name, each]) => [name, walk(each, isWhole)]),
    );
  return walk(schema, true) as JsonSchema;
}

function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : [];
}
