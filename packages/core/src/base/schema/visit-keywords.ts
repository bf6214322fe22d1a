import type { JsonSchema } from '@toolwright/manifest';

/** Keywords that contain data. A `$ref` in them is no reference. */
const values = new Set(['default', 'const', 'enum', 'examples']);

/** Keywords that contain a schema for each name. The names are not keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * Calls `visitor` for every keyword of a schema and of the schemas inside it. It skips names and data that
 * look like keywords.
 */
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
