import { oncePerSchema } from './once.js';
import { leadsSomewhere } from './find-definition.js';
import { isLatestDialect, partsOf, visitKeywords } from './keywords.js';

/** A problem of a schema as the end of a sentence, and its fix. */
interface SchemaProblem {
  readonly what: string;
  readonly fix: string;
}

/**
 * Finds what makes a schema unfit to be published: a reference to another document (it could lead a client
 * into the server's network), a reference to nothing, or a dialect that we cannot validate.
 */
export const findSchemaProblems = oncePerSchema((schema): readonly SchemaProblem[] => {
  const parts = partsOf(schema).map(lookAt);
  const problems = parts.flatMap(({ problems }) => problems);
  // A part with its own address refers to itself.
  if (parts.some(({ hasAddress }) => hasAddress)) return problems;
  const references = new Set(parts.flatMap(({ references }) => references));
  return [...problems, ...[...references].filter((each) => !leadsSomewhere(schema, each)).map(asDangling)];
});

interface Look {
  readonly problems: readonly SchemaProblem[];
  /** The references within the document. */
  readonly references: readonly string[];
  readonly hasAddress: boolean;
}

/** Checks a definition once, however many tools share it. */
const lookAt = oncePerSchema((part): Look => {
  const problems: SchemaProblem[] = [];
  const references = new Set<string>();
  let hasAddress = false;
  visitKeywords(part, (keyword, value) => {
    const problem = problemOf(keyword, value);
    if (problem) problems.push(problem);
    else if (keyword === '$ref' && typeof value === 'string') references.add(value);
    hasAddress ||= keyword === '$id' || keyword === 'id';
  });
  return { problems, references: [...references], hasAddress };
});

function asDangling(reference: string): SchemaProblem {
  return {
    what: `$ref "${reference}" leads nowhere`,
    fix: 'Add what it refers to below $defs of the same schema, or correct the name.',
  };
}

function problemOf(keyword: string, value: unknown): SchemaProblem | undefined {
  if (typeof value !== 'string') return undefined;
  if ((keyword === '$ref' || keyword === '$dynamicRef') && !value.startsWith('#'))
    return {
      what: `${keyword} "${value}" leads outside of the schema`,
      fix: 'Write the referenced schema below $defs, and refer to it as #/$defs/name.',
    };
  return keyword === '$schema' && !isLatestDialect(value)
    ? {
        what: `there is no support for the dialect ${value}`,
        fix: 'Write it in JSON Schema 2020-12. Schemas of draft-04, draft-06, draft-07 and 2019-09 are rewritten for you.',
      }
    : undefined;
}
