import { numberText } from '../base/json-values.js';

/**
 * Whether a number is a multiple of another one, as people calculate: 19.99 is a multiple of 0.01. Dividing doubles says
 * no, so the shortest decimal texts of both count, which are what JSON contains.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor === 0) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [digits, exponent] = decimalOf(value);
  if (divisor !== last.divisor) last = { divisor, decimal: decimalOf(divisor) };
  const [divisorDigits, divisorExponent] = last.decimal;
  const common = Math.min(exponent, divisorExponent);
  // Nearly always doubles hold both, and take a fifth of the time.
  const scaled = Number(digits) * 10 ** (exponent - common);
  const scaledDivisor = Number(divisorDigits) * 10 ** (divisorExponent - common);
  if (Number.isSafeInteger(scaled) && Number.isSafeInteger(scaledDivisor))
    return scaled % scaledDivisor === 0;
  // At most 632 digits: from 5e-324 to 1.8e308.
  const whole = BigInt(digits) * 10n ** BigInt(exponent - common);
  return whole % (BigInt(divisorDigits) * 10n ** BigInt(divisorExponent - common)) === 0n;
}

type Decimal = readonly [digits: string, exponent: number];

/** The items of a list have the same divisor. */
let last: { readonly divisor: number; readonly decimal: Decimal } = { divisor: 1, decimal: ['1', 0] };

/** A number as an integer and a power of ten: 19.99 is 1999 and -2. */
function decimalOf(value: number): Decimal {
  const [mantissa, exponent = '0'] = numberText(value).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return [whole + fraction, Number(exponent) - fraction.length];
}
