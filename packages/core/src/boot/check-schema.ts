import type { JsonSchema } from '@toolwright/manifest';

/** The dialects that the validator speaks; the specification requires support for the first. */
const dialects = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Keywords that hold data: what looks like a `$ref` in there is none. */
const values = new Set(['default', 'const', 'enum', 'examples']);

/** Keywords that hold a schema by each name: the names themselves are no keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * What makes a schema unfit to be published: a reference to another document (a client that follows it can be led
 * into the server's network), or a dialect that nobody here can validate.
 */
export function findSchemaFaults(schema: JsonSchema): string[] {
  const faults: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (values.has(keyword)) continue;
      const fault = faultOf(keyword, value);
      if (fault) faults.push(fault);
      if (maps.has(keyword) && typeof value === 'object' && value !== null)
        Object.values(value).forEach(visit);
      else visit(value);
    }
  };
  visit(schema);
  return faults;
}

function faultOf(keyword: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if ((keyword === '$ref' || keyword === '$dynamicRef') && !value.startsWith('#'))
    return `${keyword} "${value}" leads outside of the schema`;
  return keyword === '$schema' && !dialects.test(value)
    ? `the dialect ${value} is not JSON Schema 2020-12`
    : undefined;
}
