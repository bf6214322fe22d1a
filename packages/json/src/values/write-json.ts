import { hasLongDigits, isBeyondSafe } from '../numbers/read-json.js';
import { wellFormedJson } from '../text/well-formed.js';
import { numberText } from './json-values.js';
import { toJson } from './to-json.js';

/**
 * JSON.stringify for what leaves the process. Every integer has all its digits: JSON.stringify writes
 * 1152921504606847000 for 2^60, which is the same double and another integer, and the reader may keep all digits. Values
 * that JSON does not have, such as a `bigint`, are written as in results, and no half of a surrogate pair is alone.
 *
 * @throws {NotJsonError} for a value that contains itself
 */
export function writeJson(value: unknown, indent?: number): string {
  const json = asJson(value);
  const text = JSON.stringify(json, undefined, indent) as string | undefined;
  if (text === undefined) return text as never;
  return wellFormedJson(hasLongDigits(text) ? withAllDigits(json, text, indent) : text);
}

/**
 * A value that JSON.stringify does not refuse: the same one, or its form in results. `undefined` for what JSON leaves out.
 *
 * @throws {NotJsonError} for a value that contains itself
 */
export function asJson<T>(value: T): T {
  try {
    return JSON.stringify(value) === undefined ? (undefined as T) : value;
  } catch {
    return toJson(value) as T;
  }
}

/** A number as JSON, with all digits of an integer. An exponent says that its digits do not count. */
export function exactNumberText(value: number): string {
  return isLongInteger(value) ? String(BigInt(value)) : numberText(value);
}

/** JavaScript writes larger integers with an exponent. */
const FIRST_EXPONENT = 1e21;

function isLongInteger(value: number): boolean {
  return isBeyondSafe(value) && value < FIRST_EXPONENT && value > -FIRST_EXPONENT;
}

function withAllDigits(json: unknown, text: string, indent: number | undefined): string {
  const mark = `${crypto.randomUUID()} `;
  const marked = JSON.stringify(
    json,
    (_key, each: unknown) =>
      typeof each === 'number' && isLongInteger(each) ? `${mark}${BigInt(each)}` : each,
    indent,
  );
  return marked.includes(mark) ? marked.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text;
}
