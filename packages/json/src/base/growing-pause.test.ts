import { growingPause } from './growing-pause.js';

const bounds = { firstMs: 100, longestMs: 5_000 };

test('pauses double up to the longest one', () => {
  const pauses = [0, 1, 2, 5, 6, 10_000].map((before) => growingPause(before, bounds));
  expect(pauses).toEqual([100, 200, 400, 3_200, 5_000, 5_000]);
});

test('chance takes up to half of a pause', () => {
  const pauses = [0, 0.5, 1].map((share) => growingPause(1, bounds, share));
  expect(pauses).toEqual([100, 150, 200]);
});

test('a pause that begins at nothing stays nothing', () => {
  expect(growingPause(10_000, { firstMs: 0 })).toBe(0);
});
