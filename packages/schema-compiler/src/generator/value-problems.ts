import { fitsSchema } from './fits-schema.js';
import type { Definition } from './tjs-adapter.js';
import type { SchemaErrorCode } from '../diagnostics/catalogue.js';

/** Pairs of keywords. The first must not exceed the second. In a strict pair they must not be equal either. */
const BOUNDS = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

type Resolve = (schema: Definition) => Definition;

export interface ValueProblem {
  code: SchemaErrorCode;
  detail: string;
}

/**
 * Removes a default that does not match its schema, and returns what is wrong with the values of a property.
 */
export function dropUnfit(definition: Definition, foreign: boolean, resolve: Resolve): ValueProblem[] {
  const faults = valueProblems(definition, resolve);
  if (faults.some(({ code }) => code === 'TW_SCHEMA_DEFAULT')) delete definition.default;
  // In comments of other packages an example is often a line of code.
  if (foreign && Array.isArray(definition.examples)) {
    const fitting = (definition.examples as unknown[]).filter((each) =>
      fitsSchema(each, definition, resolve),
    );
    if (fitting.length > 0) definition.examples = fitting;
    else delete definition.examples;
  }
  return faults;
}

function valueProblems(definition: Definition, resolve: Resolve): ValueProblem[] {
  const schema = resolve(definition);
  const crossed = BOUNDS.filter(([lower, upper]) => isCrossed(schema, lower, upper)).map(
    ([lower, upper]) => ({
      code: 'TW_SCHEMA_BOUNDS' as const,
      detail: `No value fits ${lower} ${String(schema[lower])} and ${upper} ${String(schema[upper])}.`,
    }),
  );
  if (schema.default === undefined || fitsSchema(schema.default, definition, resolve)) return crossed;
  const detail = `The default ${JSON.stringify(schema.default)} does not fit ${describe(schema)}.`;
  return [...crossed, { code: 'TW_SCHEMA_DEFAULT', detail }];
}

function isCrossed(schema: Definition, lower: string, upper: string): boolean {
  const [least, most] = [schema[lower], schema[upper]];
  if (typeof least !== 'number' || typeof most !== 'number') return false;
  return least > most || (least === most && `${lower}${upper}`.includes('exclusive'));
}

/** The keywords that a constant can break, in the author's notation. */
function describe(schema: Definition): string {
  const told = Object.entries(schema).filter(([keyword]) => CHECKED.has(keyword));
  return told.length > 0
    ? told.map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`).join(', ')
    : 'its type';
}

const CHECKED = new Set([
  'type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength',
  'maxLength', 'pattern', 'minItems', 'maxItems',
]); // prettier-ignore
