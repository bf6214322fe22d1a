import type { JsonSchema } from './json-schema.js';

const SINGLE = [
  'additionalProperties',
  'items',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const;

/** Copies a schema, and applies `change` to each schema directly inside it. Values and annotations stay. */
export function mapSchema(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  for (const keyword of SINGLE) if (isSchema(copy[keyword])) copy[keyword] = change(copy[keyword]) as never;
  for (const keyword of LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list))
      copy[keyword] = list.map((item: unknown) => (isSchema(item) ? change(item) : item)) as never;
  }
  for (const keyword of MAPS) {
    const map = copy[keyword];
    if (!isSchema(map)) continue;
    const entries = Object.entries(map).map(([name, item]) => [name, isSchema(item) ? change(item) : item]);
    copy[keyword] = Object.fromEntries(entries) as never;
  }
  return copy;
}

/** Whether a value is an object schema, not `true` or `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
