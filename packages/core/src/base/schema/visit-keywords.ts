import type { JsonSchema } from '@toolwright/manifest';

/** Keywords that hold data: what looks like a `$ref` in there is none. */
const values = new Set(['default', 'const', 'enum', 'examples']);

/** Keywords that hold a schema by each name: the names themselves are no keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Calls back for every keyword of a schema and of the schemas inside, leaving out names and data that look like one. */
export function visitKeywords(schema: JsonSchema, visitor: (keyword: string, value: unknown) => void): void {
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (values.has(keyword)) continue;
      visitor(keyword, value);
      if (maps.has(keyword) && typeof value === 'object' && value !== null)
        Object.values(value).forEach(visit);
      else visit(value);
    }
  };
  visit(schema);
}
