import { canonicalJson, formatCheck, holdsInteger, isObject } from '@toolwright/json';
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

/**
 * Whether a constant matches a schema. It checks types, choices and bounds of values, list items and
 * properties. That is enough to find a default that no call could have sent.
 */
export function fitsSchema(value: unknown, schema: Definition, resolve: Resolve): boolean {
  const known = resolve(schema);
  const branches = (known.anyOf ?? known.oneOf) as Definition[] | undefined;
  if (branches && !branches.some((branch) => fitsSchema(value, branch, resolve))) return false;
  if (known.const !== undefined && known.const !== value) return false;
  if (known.enum && !(known.enum as unknown[]).includes(value)) return false;
  if (known.type !== undefined && ![known.type].flat().some((type) => isOfType(value, type))) return false;
  if (typeof value === 'number') return fitsNumber(value, known);
  if (typeof value === 'string') return fitsText(value, known);
  if (Array.isArray(value)) return fitsList(value, known, resolve);
  return typeof value === 'object' && value !== null ? fitsObject(value, known, resolve) : true;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function fitsNumber(value: number, schema: Definition): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    !(typeof multipleOf === 'number' && Number.isInteger(multipleOf) && value % multipleOf !== 0)
  );
}

function fitsText(value: string, { minLength, maxLength, pattern, format }: Definition): boolean {
  const length = [...value].length;
  if (typeof format === 'string' && !formatCheck(format, 'method')(value)) return false;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return !(typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value));
}

function fitsList(value: readonly unknown[], schema: Definition, resolve: Resolve): boolean {
  const { minItems, maxItems, items, uniqueItems } = schema;
  if (uniqueItems === true && new Set(value.map((item) => canonicalJson(item))).size < value.length)
    return false;
  if (typeof minItems === 'number' && value.length < minItems) return false;
  if (typeof maxItems === 'number' && value.length > maxItems) return false;
  if (typeof items !== 'object' || items === null || Array.isArray(items)) return true;
  return value.every((item) => fitsSchema(item, items as Definition, resolve));
}

/** Names that the type does not have are refused elsewhere, as TypeScript does. */
function fitsObject(value: object, schema: Definition, resolve: Resolve): boolean {
  const { properties = {}, patternProperties, additionalProperties, propertyNames } = schema;
  return Object.entries(value).every(([name, part]) => {
    if (propertyNames && !fitsSchema(name, propertyNames as Definition, resolve)) return false;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const others = patternProperties === undefined ? additionalProperties : undefined;
    const property = known ?? (typeof others === 'object' ? (others as Definition) : undefined);
    return property === undefined || fitsSchema(part, property, resolve);
  });
}
