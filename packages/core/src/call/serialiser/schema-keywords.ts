import { isAnnotation } from '../../base/schema/annotations.js';
import type { JsonSchema } from '@toolwright/manifest';

const known = new Set(
  '$ref anyOf oneOf allOf const enum type properties required additionalProperties items prefixItems minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
);

export const JSON_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'array',
  'object',
]);

/** The keywords of a schema that apply to values; undefined if one of them is unknown. */
export function keywordsOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || keyword === '$schema' || isAnnotation(keyword)) continue;
    if (!known.has(keyword)) return undefined;
    found.add(keyword);
  }
  return found;
}

export function isPrimitive(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
