import { signedRankChance, typicalDifference } from './signed-rank.js';

test('the chances are those of the exact tables', () => {
  expect(signedRankChance([1, 2, 3, 4, 5])).toBe(1 / 32);
  expect(signedRankChance([-1, 2, 3, 4, 5])).toBe(2 / 32);
  // Of n = 10, a sum of 10 or less of the ranks against has a chance of 0.042.
  expect(signedRankChance([-1, -2, -3, -4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(0.042, 3);
});

test('a difference in the other direction is never significant', () => {
  expect(signedRankChance([-1, -2, -3, -4, -5])).toBe(1);
});

test('equal differences share their ranks', () => {
  expect(signedRankChance([1, 1, -1])).toBe(4 / 8);
});

test('the typical difference is the middle of the means of all pairs, and one disturbed pair hardly moves it', () => {
  expect(typicalDifference([1, 3])).toBe(2);
  expect(typicalDifference([1, 2, 3, 2, 100])).toBe(2.5);
});
