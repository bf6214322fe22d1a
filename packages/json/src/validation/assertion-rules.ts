import type { JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../once.js';
import { amongValues, findEqualItems, formatCheck } from './value-checks.js';
import { fail, type Rule } from './validation-run.js';
import { matcherOf } from './check-budget.js';

type Keyword = keyof JsonSchema & string;
type Keywords<T> = readonly (readonly [keyword: string, rule: Rule<T>])[];

/** Rules that check a value itself, in the order in which Ajv reports mistakes. */
export const ofNumbers: Keywords<number> = [
  limit('maximum', '<=', (value, edge) => value <= edge),
  limit('minimum', '>=', (value, edge) => value >= edge),
  limit('exclusiveMaximum', '<', (value, edge) => value < edge),
  limit('exclusiveMinimum', '>', (value, edge) => value > edge),
  [
    'multipleOf',
    (value, schema, place) => {
      const { multipleOf } = schema;
      return (
        Number.isInteger(value / multipleOf!) ||
        fail(place, { keyword: 'multipleOf', params: { multipleOf } }, schema)
      );
    },
  ],
  ['format', hasFormat],
];

export const ofStrings: Keywords<string> = [
  size('maxLength', isAtMost),
  size('minLength', isAtLeast),
  [
    'pattern',
    (text, schema, place) => {
      const { pattern } = schema;
      const matches = matcherOf(schema, pattern!, place.run.source).test(text);
      return matches || fail(place, { keyword: 'pattern', params: { pattern } }, schema);
    },
  ],
  ['format', hasFormat],
];

export const ofAll: Keywords<unknown> = [
  [
    'const',
    (value, schema, place) =>
      constOf(schema)(value) ||
      fail(place, { keyword: 'const', params: { allowedValue: schema.const } }, schema),
  ],
  [
    'enum',
    (value, schema, place) =>
      enumOf(schema)(value) ||
      fail(place, { keyword: 'enum', params: { allowedValues: schema.enum } }, schema),
  ],
];

export const ofLists: Keywords<readonly unknown[]> = [
  size('maxItems', ({ length }, most) => length <= most),
  size('minItems', ({ length }, least) => length >= least),
];

/** Our own `uniqueItems` replaces Ajv's, and Ajv runs added keywords last. */
export const ofWholeLists: Keywords<readonly unknown[]> = [
  [
    'uniqueItems',
    (items, schema, place) => {
      const equal = schema.uniqueItems ? findEqualItems(items) : undefined;
      return !equal || fail(place, { keyword: 'uniqueItems', params: equal }, schema);
    },
  ],
];

export const ofObjects: Keywords<object> = [
  size('maxProperties', (object, most) => Object.keys(object).length <= most),
  size('minProperties', (object, least) => Object.keys(object).length >= least),
  [
    'required',
    (object, schema, place) => {
      let fits = true;
      for (const missingProperty of schema.required!) {
        if (isPresent(object, missingProperty)) continue;
        fits = fail(place, { keyword: 'required', params: { missingProperty } }, schema);
        if (!place.run.all) break;
      }
      return fits;
    },
  ],
];

/** JSON has no undefined, and the inherited `constructor` of every object is not one of its properties. */
function isPresent(object: object, name: string): boolean {
  return Object.hasOwn(object, name) && (object as Record<string, unknown>)[name] !== undefined;
}

function limit(
  keyword: Keyword,
  comparison: string,
  fits: (value: number, limit: number) => boolean,
): readonly [string, Rule<number>] {
  return [
    keyword,
    (value, schema, place) => {
      const edge = schema[keyword] as number;
      return fits(value, edge) || fail(place, { keyword, params: { comparison, limit: edge } }, schema);
    },
  ];
}

function size<T>(keyword: Keyword, fits: (value: T, limit: number) => boolean): readonly [string, Rule<T>] {
  return [
    keyword,
    (value, schema, place) => {
      const edge = schema[keyword] as number;
      return fits(value, edge) || fail(place, { keyword, params: { limit: edge } }, schema);
    },
  ];
}

function hasFormat(value: unknown, schema: JsonSchema, place: Parameters<Rule>[2]): boolean {
  const { format } = schema;
  return (
    formatCheck(format!, place.run.source)(value) ||
    fail(place, { keyword: 'format', params: { format } }, schema)
  );
}

function isAtMost(text: string, most: number): boolean {
  return text.length <= most || charactersOf(text) <= most;
}

function isAtLeast(text: string, least: number): boolean {
  return text.length >= 2 * least || charactersOf(text) >= least;
}

/** A character is a code point, of one or two UTF-16 units. */
function charactersOf(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count++;
  return count;
}

const enumOf = oncePerSchema((schema) => amongValues(schema.enum!));
const constOf = oncePerSchema((schema) => amongValues([schema.const]));
