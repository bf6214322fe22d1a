import { numberText } from '../base/json-values.js';
import { isBeyondSafe } from './read-json.js';

/** A number as JSON, with all digits of an integer. An exponent says that its digits do not count. */
export function exactNumberText(value: number): string {
  return isLongInteger(value) ? String(BigInt(value)) : numberText(value);
}

/** A value in a sentence. Who reads an integer there may send it, so it has all digits. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return isLongInteger(value) ? String(BigInt(value)) : String(value);
  return JSON.stringify(value);
}

/** JavaScript writes larger integers with an exponent. */
const FIRST_EXPONENT = 1e21;

/** Whether JSON.stringify may write an integer with the digits of another one. */
export function isLongInteger(value: number): boolean {
  return isBeyondSafe(value) && value < FIRST_EXPONENT && value > -FIRST_EXPONENT;
}
