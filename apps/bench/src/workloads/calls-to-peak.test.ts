import { callsToPeak } from './calls-to-peak.js';

/** Answers whose gaps, in milliseconds, follow a rule. */
function answers(count: number, gap: (index: number) => number): number[] {
  let now = 0;
  return Array.from({ length: count }, (_, index) => (now += gap(index)));
}

test('a server that is as fast as ever from its first call needs one window to show it', () => {
  expect(callsToPeak(answers(4000, () => 0.1))).toBe(250);
});

test('the peak is reached where the calls become as fast as the later ones', () => {
  const slowAtFirst = answers(10_000, (index) => (index < 2000 ? 1 : 0.1));
  expect(callsToPeak(slowAtFirst)).toBeGreaterThan(2150);
  expect(callsToPeak(slowAtFirst)).toBeLessThanOrEqual(2250);
});

test('a pause in the second half does not change what is steady', () => {
  const paused = answers(10_000, (index) => (index === 8000 ? 500 : index < 1000 ? 1 : 0.1));
  expect(callsToPeak(paused)).toBeGreaterThan(1150);
});

test('few answers tell nothing', () => {
  expect(() => callsToPeak(answers(900, () => 1))).toThrow('too few answers');
});
