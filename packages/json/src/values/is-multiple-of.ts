import { numberText } from '../base/json-values.js';

/**
 * Whether a number is a multiple of another one, as people calculate: 19.99 is a multiple of 0.01. Dividing doubles says
 * no, so the shortest decimal texts of both count, which are what JSON contains.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor === 0) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [digits, exponent] = decimalOf(value);
  const [divisorDigits, divisorExponent] = decimalOf(divisor);
  // At most 632 digits: from 5e-324 to 1.8e308.
  const common = Math.min(exponent, divisorExponent);
  const scaled = digits * 10n ** BigInt(exponent - common);
  return scaled % (divisorDigits * 10n ** BigInt(divisorExponent - common)) === 0n;
}

/** A number as an integer and a power of ten: 19.99 is 1999 and -2. */
function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent = '0'] = numberText(value).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
