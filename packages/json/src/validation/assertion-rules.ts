import { canonicalJson, isComposed } from '../base/json-values.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { oncePerSchema } from '../schema/once.js';
import { isMultipleOf } from '../values/is-multiple-of.js';
import { matcherOf } from './check-budget.js';
import { formatCheck } from './format-checks.js';
import { fail, type Rule, runRules, UnusableSchemaError } from './validation-run.js';

type Keyword = keyof JsonSchema & string;
export type Keywords<T> = readonly (readonly [keyword: string, rule: Rule<T>])[];

/** Rules that check a value itself, in the order in which problems are reported. */
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
        isMultipleOf(value, multipleOf!) ||
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
      isConst(value, schema) ||
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

/** Last, because it reads the whole list. */
export const ofWholeLists: Keywords<readonly unknown[]> = [
  [
    'uniqueItems',
    (items, schema, place) => {
      const equal = schema.uniqueItems ? findEqualItems(items) : undefined;
      return !equal || fail(place, { keyword: 'uniqueItems', params: equal }, schema);
    },
  ],
];

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

export function size<T>(
  keyword: Keyword,
  fits: (value: T, limit: number) => boolean,
): readonly [string, Rule<T>] {
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

function isConst(value: unknown, schema: JsonSchema): boolean {
  return isComposed(schema.const) ? constOf(schema)(value) : value === schema.const;
}

/**
 * The first item that equals an earlier one, and the positions of both. It takes linear time: comparing each object with
 * each other one takes five seconds for 20,000, and a body of 1 MiB can contain 350,000.
 */
function findEqualItems(items: readonly unknown[]): { i: number; j: number } | undefined {
  const values = new Map<unknown, number>();
  // A string may look like the text of an object, so objects have their own map.
  const objects = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const seen: Map<unknown, number> = isComposed(item) ? objects : values;
    const key = isComposed(item) ? canonicalJson(item) : item;
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

/** @throws {UnusableSchemaError} for a type that nobody knows */
export function typesOf({ type, nullable }: JsonSchema): readonly string[] {
  const types = [type ?? []].flat();
  for (const name of types)
    if (!typeChecks.has(name))
      throw new UnusableSchemaError(`There is no type "${String(name)}" in JSON Schema.`);
  // Servers whose schemas come from OpenAPI 3.0 write so, and other validators take it.
  return nullable === true && types.length > 0 ? [...new Set([...types, 'null'])] : types;
}

/** Rules for values of one type. If the schema allows only this type, other types are reported at this point. */
export function forType(type: string, rules: readonly Rule[], isOnly: boolean): Rule {
  // Limits count for Infinity too, which is not a number of JSON.
  const isNumber = (value: unknown) => typeof value === 'number';
  const isOfType = type === 'number' && !isOnly ? isNumber : typeChecks.get(type)!;
  return (value, schema, place) => {
    if (isOfType(value)) return runRules(rules, value, schema, place);
    return !isOnly || fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}

/** Whether a value has a type of JSON Schema. */
const typeChecks: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<
  unknown,
  (value: unknown) => boolean
>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
]);

export function hasType(schema: JsonSchema): Rule {
  const checks = typesOf(schema).map((name) => typeChecks.get(name)!);
  return (value, _, place) => {
    for (const check of checks) if (check(value)) return true;
    return fail(place, { keyword: 'type', params: { type: schema.type } }, schema);
  };
}
