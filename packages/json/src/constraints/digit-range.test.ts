import fc from 'fast-check';
import { findPatternProblems } from '../patterns/cost-of-pattern.js';
import { digitsBetween, isDigitPattern, withBoundDigits } from './digit-range.js';

const integers = fc.oneof(
  fc.bigInt({ min: -130n, max: 130n }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.constantFrom(0n, 1n, -1n, 9n, 10n, 99n, 100n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 18n),
);
const bounds = fc.option(integers, { nil: undefined });

test('a pattern matches the digits of the integers in its range, and no other text', () => {
  fc.assert(
    fc.property(bounds, bounds, fc.array(integers, { minLength: 1 }), (least, most, values) => {
      const isEmpty = least !== undefined && most !== undefined && least > most;
      const pattern = digitsBetween(least, most);
      expect(pattern === undefined).toBe(isEmpty);
      if (pattern === undefined) return;
      const matches = new RegExp(pattern, 'u');
      const near = [least, most].flatMap((each) => (each === undefined ? [] : [each - 1n, each, each + 1n]));
      for (const value of [...values, ...near])
        expect([value, matches.test(String(value))]).toEqual([
          value,
          (least === undefined || value >= least) && (most === undefined || value <= most),
        ]);
      for (const text of ['', '-', '-0', '007', '1.5', '1e3', ' 1', '1\n'])
        expect(matches.test(text)).toBe(false);
      expect(isDigitPattern(pattern)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('patterns take a time that grows evenly', () => {
  const pattern = digitsBetween(-(2n ** 63n), 2n ** 63n)!;
  expect(findPatternProblems({ type: 'string', pattern })).toEqual([]);
});

test('bounds hold for the digits of every form of such an integer', () => {
  const text = { type: 'string', pattern: '^-?\\d+$' };
  const bound = { type: 'string', pattern: '^(?:[1-9]|[1-9]\\d|100)$' };
  const forms = [{ type: 'integer' }, text];
  expect(withBoundDigits({ anyOf: forms, minimum: 0.5, exclusiveMaximum: 101 })).toMatchObject({
    anyOf: [{ type: 'integer' }, { type: 'string', pattern: digitsBetween(1n, 100n) }],
  });
  expect(
    withBoundDigits({ anyOf: [{ anyOf: forms }, { type: 'null' }], minimum: 1 }).anyOf![0]!.anyOf![1],
  ).toEqual({
    type: 'string',
    pattern: digitsBetween(1n, undefined),
  });
  expect(
    withBoundDigits({ type: ['integer', 'string'], pattern: text.pattern, maximum: 100, minimum: 1 }).pattern,
  ).toBe(digitsBetween(1n, 100n));
  for (const same of [{ anyOf: forms }, { type: 'integer', minimum: 1 }, { ...bound, minimum: 1 }])
    expect(withBoundDigits(same)).toBe(same);
  expect(isDigitPattern('^[a-z]+$')).toBe(false);
});
