import { findPatternFault } from '../patterns/find-pattern-fault.js';
import { oncePerSchema } from '../schema/once-per-schema.js';
import { visitKeywords } from './visit-keywords.js';

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

/** The patterns of a schema that no argument should be matched against, each with the reason. */
export const findPatternFaults = oncePerSchema((schema): readonly string[] => {
  const patterns = new Set<string>();
  visitKeywords(schema, (keyword, value) => {
    if (keyword === 'pattern' && typeof value === 'string') patterns.add(value);
    if (keyword === 'patternProperties' && typeof value === 'object' && value !== null)
      Object.keys(value).forEach((name) => patterns.add(name));
  });
  return [...patterns].flatMap((pattern) => {
    const fault = findPatternFault(pattern);
    return fault ? [`the pattern ${JSON.stringify(pattern.slice(0, 200))} ${fault}`] : [];
  });
});
