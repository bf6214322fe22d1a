import type { JsonSchema } from '@toolwright/manifest';

/** Keywords that forbid nothing. `$defs` counts only where something refers to it. */
const annotations = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $defs definitions $schema contentEncoding contentMediaType'.split(
    ' ',
  ),
);

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

/** The keywords of a schema that say something of values; undefined where one of them is not known. */
export function keywordsOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || annotations.has(keyword) || keyword.startsWith('x-')) continue;
    if (!known.has(keyword)) return undefined;
    found.add(keyword);
  }
  return found;
}

export function isPrimitive(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
