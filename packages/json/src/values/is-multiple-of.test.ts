import fc from 'fast-check';
import { validatorFor } from '../validation/validator.js';
import { isMultipleOf } from './is-multiple-of.js';

test.each([
  [19.99, 0.01],
  [143.48, 0.01],
  [8.69, 0.01],
  [-8.69, 0.01],
  [0, 0.01],
  [0.3, 0.1],
  [4.02, 0.02],
  [1e23, 1e22],
  [1e308, 1e-7],
  [12391239123, 1e-8],
  [0.0075, 0.0001],
  [6, -3],
])('%d is a multiple of %d', (value, divisor) => {
  expect(isMultipleOf(value, divisor)).toBe(true);
  expect(validatorFor({ multipleOf: divisor }, 'caller')(value)).toBeUndefined();
});

test.each([
  [19.995, 0.01],
  [0.00751, 0.0001],
  [1e308, 0.123456789],
  [1e23, 7],
  [5e-324, 1],
  [3, 0],
  [Infinity, 1],
  [NaN, 1],
])('%d is no multiple of %d', (value, divisor) => {
  expect(isMultipleOf(value, divisor)).toBe(false);
});

test('a price is a multiple of a cent, and half a cent more is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (cents) => {
      expect(isMultipleOf(cents / 100, 0.01)).toBe(true);
      expect(isMultipleOf((2 * cents + 1) / 200, 0.01)).toBe(false);
    }),
  );
});
