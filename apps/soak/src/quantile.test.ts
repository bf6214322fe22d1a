import { quantile } from './quantile.js';

test.each([
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 1, 4],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.99, 100],
  [[], 0.5, Number.NaN],
])('of %j, %d is %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});
