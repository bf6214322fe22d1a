import { oncePerSchema } from '../schema/once.js';
import { type JsonSchema, mapSchema } from '../schema/json-schema.js';

/** The digits of any integer. A schema with this pattern is about an integer that no double need hold. */
export const DIGITS = '^-?\\d+$';

/**
 * The schema of an integer that may be a string of its digits, whose bounds hold for the digits, too. JSON Schema has
 * bounds for numbers only, so a caller could pass a limit by with a string.
 */
export function withBoundDigits(given: JsonSchema): JsonSchema {
  const schema = given.multipleOf === undefined ? given : withoutDigits(given);
  const least = leastOf(schema);
  const most = mostOf(schema);
  if (least === undefined && most === undefined) return schema;
  const pattern = digitsBetween(least, most);
  return pattern === undefined ? withoutDigits(schema) : bound(schema, pattern);
}

/** The same for a schema and all schemas inside it. */
export const withAllBoundDigits: (schema: JsonSchema) => JsonSchema = oncePerSchema((schema) =>
  withBoundDigits(mapSchema(schema, withAllBoundDigits)),
);

function bound(schema: JsonSchema, pattern: string): JsonSchema {
  if (schema.pattern === DIGITS) return { ...schema, pattern };
  return schema.anyOf?.some((each) => mentionsDigits(each))
    ? { ...schema, anyOf: schema.anyOf.map((each) => bound(each, pattern)) }
    : schema;
}

/**
 * No pattern says that an integer is a multiple of another one, or that there is none, so such an integer comes as a number
 * alone.
 */
function withoutDigits(schema: JsonSchema): JsonSchema {
  if (schema.pattern === DIGITS && Array.isArray(schema.type)) {
    const { pattern: _digits, ...others } = schema;
    return { ...others, type: schema.type.filter((each) => each !== 'string') };
  }
  if (!schema.anyOf?.some(mentionsDigits)) return schema;
  const others = schema.anyOf.filter(({ pattern }) => pattern !== DIGITS);
  return { ...schema, anyOf: others.map(withoutDigits) };
}

function mentionsDigits({ pattern, anyOf }: JsonSchema): boolean {
  return pattern === DIGITS || (anyOf?.some(mentionsDigits) ?? false);
}

/** Whether a pattern is that of digits, with bounds or without. */
export function isDigitPattern(pattern: unknown): boolean {
  return (
    pattern === DIGITS || (typeof pattern === 'string' && /^\^\(\?:[-\d[\]\\d{},*|]+\)\$$/.test(pattern))
  );
}

function leastOf({ minimum, exclusiveMinimum: above }: JsonSchema): bigint | undefined {
  const both = [
    ...(isBound(minimum) ? [BigInt(Math.ceil(minimum))] : []),
    ...(isBound(above) ? [BigInt(Math.floor(above)) + 1n] : []),
  ];
  return both.reduce<bigint | undefined>(
    (most, each) => (most === undefined || each > most ? each : most),
    undefined,
  );
}

function mostOf({ maximum, exclusiveMaximum: below }: JsonSchema): bigint | undefined {
  const both = [
    ...(isBound(maximum) ? [BigInt(Math.floor(maximum))] : []),
    ...(isBound(below) ? [BigInt(Math.ceil(below)) - 1n] : []),
  ];
  return both.reduce<bigint | undefined>(
    (least, each) => (least === undefined || each < least ? each : least),
    undefined,
  );
}

/** The bounds of 64 bits are those of the type. A pattern with them would be long, and say nothing to a model. */
const isBound = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 2 ** 63;

/** A pattern for the digits of all integers in a range, without zeros before them; `undefined` for no integer. */
export function digitsBetween(least: bigint | undefined, most: bigint | undefined): string | undefined {
  const parts: string[] = [];
  // The integers below zero have the digits of a range above it, behind a sign.
  if (least === undefined || least < 0n) {
    const first = most !== undefined && most < 0n ? -most : 1n;
    parts.push(...upwards(first, least === undefined ? undefined : -least).map((each) => `-${each}`));
  }
  if (most === undefined || most >= 0n)
    parts.push(...upwards(least !== undefined && least > 0n ? least : 0n, most));
  return parts.length === 0 ? undefined : `^(?:${parts.join('|')})$`;
}

/** @param least zero or more */
function upwards(least: bigint, most: bigint | undefined): string[] {
  if (most !== undefined && most < least) return [];
  const [first, last] = [String(least), most === undefined ? undefined : String(most)];
  if (last !== undefined && first.length === last.length) return sameLength(first, last);
  const zero = least === 0n ? ['0'] : [];
  const from = least === 0n ? '1' : first;
  if (last?.length === from.length) return [...zero, ...sameLength(from, last)];
  // All integers of a length are one part.
  const isWholeFrom = /^10*$/.test(from);
  const isWholeTo = last !== undefined && /^9+$/.test(last);
  const shortest = isWholeFrom ? from.length : from.length + 1;
  const longest = last === undefined ? Infinity : isWholeTo ? last.length : last.length - 1;
  return [
    ...zero,
    ...(isWholeFrom ? [] : atLeast(from)),
    ...(longest >= shortest ? [`[1-9]${digits(shortest - 1, longest - 1)}`] : []),
    ...(last === undefined || isWholeTo ? [] : sameLength(`1${'0'.repeat(last.length - 1)}`, last)),
  ];
}

/** Two texts of digits of one length, the smaller one first. */
function sameLength(first: string, last: string): string[] {
  let same = 0;
  while (same < first.length && first[same] === last[same]) same++;
  const prefix = first.slice(0, same);
  if (same === first.length) return [prefix];
  const [low, high] = [first.slice(same), last.slice(same)];
  const [from, to] = [Number(low[0]), Number(high[0])];
  const isWholeLow = /^0*$/.test(low.slice(1));
  const isWholeHigh = /^9*$/.test(high.slice(1));
  const begin = isWholeLow ? from : from + 1;
  const end = isWholeHigh ? to : to - 1;
  return [
    ...(isWholeLow ? [] : atLeast(low.slice(1)).map((each) => `${low[0]}${each}`)),
    ...(begin <= end ? [`${oneOf(begin, end)}${digits(low.length - 1)}`] : []),
    ...(isWholeHigh ? [] : atMost(high.slice(1)).map((each) => `${high[0]}${each}`)),
  ].map((each) => prefix + each);
}

/** Patterns of all numbers that have as many digits as this one and are not smaller. */
function atLeast(text: string): string[] {
  return sameLength(text, '9'.repeat(text.length));
}

function atMost(text: string): string[] {
  return sameLength('0'.repeat(text.length), text);
}

function oneOf(first: number, last: number): string {
  if (first === 0 && last === 9) return '\\d';
  return first === last ? String(first) : `[${first}-${last}]`;
}

function digits(least: number, most = least): string {
  if (most === 0) return '';
  if (most === Infinity) return least === 0 ? '\\d*' : `\\d{${least},}`;
  if (least === most) return least === 1 ? '\\d' : `\\d{${least}}`;
  return `\\d{${least},${most}}`;
}
