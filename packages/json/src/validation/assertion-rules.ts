import type { JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../once.js';
import type { PatternCost } from '../patterns/cost-of-pattern.js';
import { canonicalJson } from '../values/json-values.js';
import type { Format } from 'ajv';
import { fail, type Rule } from './validation-run.js';
import { type ValueSource, matcherOf, steps } from './check-budget.js';

type Keyword = keyof JsonSchema & string;
type Keywords<T> = readonly (readonly [keyword: string, rule: Rule<T>])[];

/** Rules that check a value itself, in the order in which Ajv reports problems. */
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

/** Whether a value has a format. Values of other types than that of the format always pass. */
type FormatCheck = (value: unknown) => boolean;

/** Formats whose pattern takes more than linear time. For 100 kB of a URL it takes five seconds. */
const costlyFormats: Readonly<Record<string, PatternCost>> = { url: { growth: 2, ways: 1 } };

const checks: Record<ValueSource, Map<string, FormatCheck>> = { caller: new Map(), method: new Map() };
let formats: Readonly<Record<string, Format>> | undefined;

/** The checks of Ajv's formats, without Ajv. An unknown format forbids nothing. */
function formatCheck(name: string, source: ValueSource): FormatCheck {
  let check = checks[source].get(name);
  if (!check) {
    check = make(name, source);
    // A schema may have any text as its format, so only known formats are stored.
    if (check !== always) checks[source].set(name, check);
  }
  return check;
}

/** The formats with a budget, in the form that Ajv takes. */
export function boundFormats(source: ValueSource): [name: string, check: FormatCheck][] {
  return Object.keys(costlyFormats).map((name) => [name, formatCheck(name, source)]);
}

const always = () => true;

function make(name: string, source: ValueSource): FormatCheck {
  const known = knownFormats();
  const format = Object.hasOwn(known, name) ? known[name]! : true;
  const cost = costlyFormats[name];
  if (cost) return ifText((text) => steps[source].bound(format as RegExp, cost).test(text));
  if (typeof format === 'object' && !(format instanceof RegExp)) {
    const test = testOf(format.validate as Format);
    return format.type === 'number' ? ifNumber(test) : ifText(test);
  }
  return format === true ? always : ifText(testOf(format));
}

function testOf(format: Format): (value: never) => boolean {
  if (format instanceof RegExp) return (text: string) => format.test(text);
  return format as (value: never) => boolean;
}

function ifText(test: (text: never) => boolean): FormatCheck {
  return (value) => typeof value !== 'string' || test(value as never);
}

function ifNumber(test: (number: never) => boolean): FormatCheck {
  return (value) => !Number.isFinite(value) || test(value as never);
}

/** This file of ajv-formats needs no other file, so it does not load Ajv. */
function knownFormats(): Readonly<Record<string, Format>> {
  if (formats) return formats;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- at first need: many servers have no format
  const { fullFormats } = require('ajv-formats/dist/formats') as typeof import('ajv-formats/dist/formats');
  return (formats = fullFormats);
}

/** The first item that equals an earlier one, and the positions of both. */
export function findEqualItems(items: readonly unknown[]): { i: number; j: number } | undefined {
  const values = new Map<unknown, number>();
  // A string may look like the text of an object, so objects have their own map.
  const objects = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const isObject = typeof item === 'object' && item !== null;
    const seen: Map<unknown, number> = isObject ? objects : values;
    const key = isObject ? canonicalJson(item) : item;
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}

/**
 * Whether a value equals one of the values that a schema allows. Objects and lists are compared as text, and
 * the value is serialized once, however many values are allowed.
 */
function amongValues(allowed: readonly unknown[]): (value: unknown) => boolean {
  const values = new Set(allowed);
  const texts = new Set(allowed.filter(isComposed).map((each) => canonicalJson(each)));
  return (value) =>
    values.has(value) || (texts.size > 0 && isComposed(value) && texts.has(canonicalJson(value)));
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
