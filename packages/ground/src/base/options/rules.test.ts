import { count, parseDuration, positiveCount } from './rules.js';
import type { Duration } from './option-schema.js';

describe('a duration', () => {
  it.each<[Duration, number]>([
    ['250ms', 250],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['0s', 0],
    [1_500, 1_500],
    [Infinity, Infinity],
  ])('%s has %i ms', (duration, span) => expect(parseDuration(duration)).toBe(span));

  it.each([-1, NaN, '-1s', '5', 's', '1 s', '1w', '1e3s', 'Infinitys', '36526d', '99999999999d', 1e300])(
    'cannot be %p',
    (text) => {
      expect(() => parseDuration(text as Duration)).toThrow(RangeError);
    },
  );
});

test.each([2 ** 53, 1e300, Infinity])('%d is no count, because it is not exact', (number) => {
  expect([count, positiveCount].map((rule) => rule.accepts(number))).toEqual([false, false]);
});
