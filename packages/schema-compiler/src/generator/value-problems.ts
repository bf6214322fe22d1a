import { accepts, holdsInteger, type JsonSchema, mapSchema } from '@toolwright/json';
import { REFERENCE } from './shared-types.js';
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

export interface KeywordProblem {
  code: SchemaErrorCode;
  detail: string;
}

/**
 * Removes a default that does not match its schema, and returns what is wrong with the values of a property.
 */
export function dropUnfit(definition: Definition, foreign: boolean, resolve: Resolve): KeywordProblem[] {
  const problems = valueProblems(definition, resolve);
  if (problems.some(({ code }) => code === 'TW_SCHEMA_DEFAULT')) delete definition.default;
  // In comments of other packages an example is often a line of code.
  if (foreign && Array.isArray(definition.examples)) {
    const fitting = (definition.examples as unknown[]).filter((each) =>
      fitsSchema(each, definition, resolve),
    );
    if (fitting.length > 0) definition.examples = fitting;
    else delete definition.examples;
  }
  return problems;
}

function valueProblems(definition: Definition, resolve: Resolve): KeywordProblem[] {
  const schema = resolve(definition);
  const crossed: KeywordProblem[] = BOUNDS.filter(([lower, upper]) => isCrossed(schema, lower, upper)).map(
    ([lower, upper]) => ({
      code: 'TW_SCHEMA_BOUNDS' as const,
      detail: `No value fits ${lower} ${String(schema[lower])} and ${upper} ${String(schema[upper])}.`,
    }),
  );
  crossed.push(...longIntegers(schema, resolve));
  if (schema.default === undefined || fitsSchema(schema.default, definition, resolve)) return crossed;
  const detail = `The default ${JSON.stringify(schema.default)} does not fit ${describe(schema)}.`;
  return [...crossed, { code: 'TW_SCHEMA_DEFAULT', detail }];
}

/** Choices and examples whose digits no number holds: a schema could have them only as texts, which do not fit. */
function longIntegers(
  { enum: choices, examples, ...schema }: Definition,
  resolve: Resolve,
): KeywordProblem[] {
  const values = [choices, examples].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return values.flatMap((value) => {
    const text = JSON.stringify(value);
    if ((text.match(/\d{16,}/g) ?? []).every(holdsInteger) || fitsSchema(value, schema, resolve)) return [];
    return [
      {
        code: 'TW_SCHEMA_TAG_VALUE',
        detail: `${text} does not fit: a number does not hold all of its digits.`,
      },
    ];
  });
}

function isCrossed(schema: Definition, lower: string, upper: string): boolean {
  const [least, most] = [schema[lower], schema[upper]];
  if (typeof least !== 'number' || typeof most !== 'number') return false;
  return least > most || (least === most && `${lower}${upper}`.includes('exclusive'));
}

/** The keywords that a constant can break, in the author's notation. */
function describe(schema: Definition): string {
  const checked = Object.entries(schema).filter(([keyword]) => CHECKED.has(keyword));
  return checked.length > 0
    ? checked.map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`).join(', ')
    : 'its type';
}

const CHECKED = new Set([
  'type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength',
  'maxLength', 'pattern', 'minItems', 'maxItems',
]); // prettier-ignore

/** Whether a call with a constant would be accepted, as far as types say: names that a type lacks are refused by TypeScript. */
export function fitsSchema(value: unknown, schema: Definition, resolve: Resolve): boolean {
  const definitions: Record<string, JsonSchema> = {};
  const standAlone = (each: JsonSchema): JsonSchema => {
    const key = each.$ref?.slice(REFERENCE.length);
    if (key !== undefined && !Object.hasOwn(definitions, key)) {
      definitions[key] = {};
      const { $ref: _, ...known } = resolve({ $ref: each.$ref } as Definition);
      definitions[key] = standAlone(known as JsonSchema);
    }
    const { required: _, additionalProperties, ...rest } = mapSchema(each, standAlone);
    return additionalProperties === false
      ? rest
      : { ...rest, ...(additionalProperties !== undefined && { additionalProperties }) };
  };
  return accepts({ ...standAlone(schema as JsonSchema), definitions })(value);
}
