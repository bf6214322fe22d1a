import { oncePerSchema } from '../schema/once-per-schema.js';
import { visitKeywords } from '../schema/visit-keywords.js';

/** The dialects that the validator speaks; the specification requires support for the first. */
const dialects = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/**
 * What makes a schema unfit to be published: a reference to another document (a client that follows it can be led
 * into the server's network), or a dialect that nobody here can validate.
 */
export const findSchemaFaults = oncePerSchema((schema): readonly string[] => {
  const faults: string[] = [];
  visitKeywords(schema, (keyword, value) => {
    const fault = faultOf(keyword, value);
    if (fault) faults.push(fault);
  });
  return faults;
});

function faultOf(keyword: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if ((keyword === '$ref' || keyword === '$dynamicRef') && !value.startsWith('#'))
    return `${keyword} "${value}" leads outside of the schema`;
  return keyword === '$schema' && !dialects.test(value)
    ? `the dialect ${value} is not JSON Schema 2020-12`
    : undefined;
}
