import type { JsonSchema } from '@toolwright/manifest';
import type { Definition } from '../types/tjs-internals.js';

const SINGLE = ['additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties'] as const;

/**
 * Converts the draft-07 output of typescript-json-schema to 2020-12. Tuples get `prefixItems`, and the
 * generator's own keywords are removed.
 *
 * @param refer returns what replaces a definition with a reference; undefined if the definition has no
 * reference
 */
export function convertDefinition(
  node: Definition,
  refer: (node: Definition) => JsonSchema | undefined,
): JsonSchema {
  const convert = (inner: Definition): JsonSchema => refer(inner) ?? convertDefinition(inner, refer);
  const convertAny = (value: unknown) => (isDefinition(value) ? convert(value) : (value as boolean));
  const schema: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword !== 'definitions' && keyword !== 'additionalItems' && !keyword.startsWith('~'))
      schema[keyword] = value;
  }
  for (const key of MAPS) {
    const map = node[key] as Record<string, Definition> | undefined;
    if (map)
      schema[key] = Object.fromEntries(
        Object.entries(map).map(([name, value]) => [name, convertAny(value) as JsonSchema]),
      );
  }
  for (const key of LISTS) {
    const list = node[key] as Definition[] | undefined;
    if (list) schema[key] = list.map(convert);
  }
  for (const key of SINGLE) if (isDefinition(node[key])) schema[key] = convert(node[key]);
  const { items, additionalItems } = node;
  if (Array.isArray(items)) {
    delete schema.items;
    schema.prefixItems = (items as Definition[]).map(convert);
  } else if (isDefinition(items)) schema.items = convert(items);
  if (additionalItems !== undefined) schema.items = convertAny(additionalItems);
  return schema;
}

export function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
