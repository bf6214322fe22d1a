import type { JsonSchema } from '../schema/json-schema.js';
import { amongValues, formatCheck } from './value-checks.js';
import { isAtLeast, isAtMost } from './assertion-rules.js';
import { type ValueSource, matcherOf } from './check-budget.js';

export type Check = (value: unknown) => boolean;

/** Whether a value has a type of JSON Schema. */
export const typeChecks: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isRecord],
]);

/** Fast checks for keywords about a value itself; undefined for unknown ones. */
export const assertions: ReadonlyMap<string, (schema: JsonSchema, maker: ValueSource) => Check | undefined> =
  new Map<string, (schema: JsonSchema, maker: ValueSource) => Check | undefined>([
    ['type', ({ type }) => forTypes([type ?? []].flat())],
    ['enum', ({ enum: values }) => values && amongValues(values)],
    ['const', ({ const: value }) => amongValues([value])],
    ['minimum', ({ minimum }) => forNumbers(minimum, (value, limit) => value >= limit)],
    ['maximum', ({ maximum }) => forNumbers(maximum, (value, limit) => value <= limit)],
    [
      'exclusiveMinimum',
      ({ exclusiveMinimum }) => forNumbers(exclusiveMinimum, (value, limit) => value > limit),
    ],
    [
      'exclusiveMaximum',
      ({ exclusiveMaximum }) => forNumbers(exclusiveMaximum, (value, limit) => value < limit),
    ],
    ['minLength', ({ minLength }) => forTexts(minLength, isAtLeast)],
    ['maxLength', ({ maxLength }) => forTexts(maxLength, isAtMost)],
    ['pattern', forPattern],
    ['format', forFormat],
    ['minItems', ({ minItems }) => forLists(minItems, ({ length }, limit) => length >= limit)],
    ['maxItems', ({ maxItems }) => forLists(maxItems, ({ length }, limit) => length <= limit)],
  ]);

function forTypes(names: readonly string[]): Check | undefined {
  const checks = names.map((name) => typeChecks.get(name));
  if (checks.length === 0 || !checks.every((check) => check !== undefined)) return undefined;
  return checks.length === 1 ? checks[0] : (value) => checks.some((check) => check(value));
}

function forNumbers(limit: number | undefined, fits: (value: number, limit: number) => boolean) {
  return limited(limit, (value, edge) => typeof value !== 'number' || fits(value, edge));
}

function forTexts(limit: number | undefined, fits: (value: string, limit: number) => boolean) {
  return limited(limit, (value, edge) => typeof value !== 'string' || fits(value, edge));
}

function forPattern(schema: JsonSchema, maker: ValueSource): Check {
  const matcher = matcherOf(schema, schema.pattern!, maker);
  return (value) => typeof value !== 'string' || matcher.test(value);
}

/** The formats are loaded when the first value needs one. */
function forFormat({ format }: JsonSchema, maker: ValueSource): Check {
  let check: Check | undefined;
  return (value) => (check ??= formatCheck(format!, maker))(value);
}

function forLists(limit: number | undefined, fits: (value: unknown[], limit: number) => boolean) {
  return limited(limit, (value, edge) => !Array.isArray(value) || fits(value, edge));
}

function limited(
  limit: number | undefined,
  fits: (value: unknown, limit: number) => boolean,
): Check | undefined {
  return typeof limit === 'number' ? (value) => fits(value, limit) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
