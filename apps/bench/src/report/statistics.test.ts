import { quantile, summarize, summarizeRatio } from './statistics.js';

test.each<[number, number]>([
  [0, 10],
  [0.25, 20],
  [0.5, 30],
  [0.99, 49.6],
  [1, 50],
])('the quantile %d of 10, 20, 30, 40, 50 is %d', (share, value) => {
  expect(quantile([10, 20, 30, 40, 50], share)).toBeCloseTo(value);
});

test('nothing has no quantile', () => {
  expect(quantile([], 0.5)).toBeNaN();
});

test('rounds are summarised by median and quartiles, in whatever order they came', () => {
  const rounds = [5, 1, 4, 2, 3];
  expect(summarize(rounds)).toEqual({ median: 3, low: 2, high: 4 });
  expect(rounds).toEqual([5, 1, 4, 2, 3]);
});

test('one disturbed round moves neither median nor quartiles', () => {
  expect(summarize([10, 10, 10, 10, 10, 10, 900])).toEqual({ median: 10, low: 10, high: 10 });
});

test('a ratio pairs the rounds: a machine that slows down for both changes nothing', () => {
  expect(summarizeRatio([200, 100, 20], [100, 50, 10])).toEqual({ median: 2, low: 2, high: 2 });
});

test('rounds that only one side has are left out of the ratio', () => {
  expect(summarizeRatio([4, 4, 4], [2, 2])).toEqual({ median: 2, low: 2, high: 2 });
});
