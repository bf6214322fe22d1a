import { canonicalJson } from '../values/json-values.js';
import type { Format, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import type { PatternCost } from '../patterns/cost-of-pattern.js';
import { type ValueSource, steps } from './check-budget.js';

/** Whether a value has a format. Values of other types than that of the format always pass. */
type FormatCheck = (value: unknown) => boolean;

/** Formats whose pattern takes more than linear time. For 100 kB of a URL it takes five seconds. */
const costlyFormats: Readonly<Record<string, PatternCost>> = { url: { growth: 2, ways: 1 } };

const checks: Record<ValueSource, Map<string, FormatCheck>> = { caller: new Map(), method: new Map() };
let formats: Readonly<Record<string, Format>> | undefined;

/** The checks of Ajv's formats, without Ajv. An unknown format forbids nothing. */
export function formatCheck(name: string, source: ValueSource): FormatCheck {
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
  if (cost) return ofStrings((text) => steps[source].bound(format as RegExp, cost).test(text));
  if (typeof format === 'object' && !(format instanceof RegExp)) {
    const test = testOf(format.validate as Format);
    return format.type === 'number' ? ofNumbers(test) : ofStrings(test);
  }
  return format === true ? always : ofStrings(testOf(format));
}

function testOf(format: Format): (value: never) => boolean {
  if (format instanceof RegExp) return (text: string) => format.test(text);
  return format as (value: never) => boolean;
}

function ofStrings(test: (text: never) => boolean): FormatCheck {
  return (value) => typeof value !== 'string' || test(value as never);
}

function ofNumbers(test: (number: never) => boolean): FormatCheck {
  return (value) => !Number.isFinite(value) || test(value as never);
}

/** This file of ajv-formats needs no other file, so it does not load Ajv. */
function knownFormats(): Readonly<Record<string, Format>> {
  if (formats) return formats;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- at first need: many servers have no format
  const { fullFormats } = require('ajv-formats/dist/formats') as typeof import('ajv-formats/dist/formats');
  return (formats = fullFormats);
}

/**
 * `uniqueItems` in linear time. Ajv compares each object with each other one. For 20,000 objects that takes
 * five seconds, and a body of 1 MiB can contain 350,000.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: hasNoEqualItems,
};

function hasNoEqualItems(isWanted: boolean, items: readonly unknown[]): boolean {
  const equal = isWanted ? findEqualItems(items) : undefined;
  if (!equal) return true;
  const message = `must NOT have duplicate items (items ## ${equal.j} and ${equal.i} are identical)`;
  (hasNoEqualItems as SchemaValidateFunction).errors = [{ keyword: 'uniqueItems', params: equal, message }];
  return false;
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
export function amongValues(allowed: readonly unknown[]): (value: unknown) => boolean {
  const values = new Set(allowed);
  const texts = new Set(allowed.filter(isComposed).map((each) => canonicalJson(each)));
  return (value) =>
    values.has(value) || (texts.size > 0 && isComposed(value) && texts.has(canonicalJson(value)));
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value has a type of JSON Schema. */
export const typeChecks: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<
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
