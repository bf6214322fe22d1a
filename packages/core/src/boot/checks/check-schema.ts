import { isLatestDialect } from '../../base/schema/dialects.js';
import { oncePerSchema } from '../../base/schema/once-per-schema.js';
import { visitKeywords } from '../../base/schema/visit-keywords.js';

/** What is wrong with a schema, as the end of a sentence, and what to do about it. */
export interface SchemaFault {
  readonly what: string;
  readonly fix: string;
}

/**
 * What makes a schema unfit to be published: a reference to another document (a client that follows it can be led
 * into the server's network), or a dialect that nobody here can validate.
 */
export const findSchemaFaults = oncePerSchema((schema): readonly SchemaFault[] => {
  const faults: SchemaFault[] = [];
  visitKeywords(schema, (keyword, value) => {
    const fault = faultOf(keyword, value);
    if (fault) faults.push(fault);
  });
  return faults;
});

function faultOf(keyword: string, value: unknown): SchemaFault | undefined {
  if (typeof value !== 'string') return undefined;
  if ((keyword === '$ref' || keyword === '$dynamicRef') && !value.startsWith('#'))
    return {
      what: `${keyword} "${value}" leads outside of the schema`,
      fix: 'Write the referenced schema below $defs, and refer to it as #/$defs/name.',
    };
  return keyword === '$schema' && !isLatestDialect(value)
    ? {
        what: `nobody here knows the dialect ${value}`,
        fix: 'Write it in JSON Schema 2020-12. Schemas of draft-04, draft-06, draft-07 and 2019-09 are rewritten for you.',
      }
    : undefined;
}
