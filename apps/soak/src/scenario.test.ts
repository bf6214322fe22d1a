import { describeBar, isMet } from './scenario.js';

test.each([
  [{ figure: 'lost', value: 0, atMost: 0 }, true],
  [{ figure: 'lost', value: 1, atMost: 0 }, false],
  [{ figure: 'goodput', value: 89, atLeast: 90 }, false],
  [{ figure: 'calls', value: 5 }, true],
  [{ figure: 'p99', value: Number.NaN, atMost: 20 }, false],
])('%j is met: %s', (bar, met) => {
  expect(isMet(bar)).toBe(met);
});

test('A bar is told with its bound, and whether it is met', () => {
  expect(describeBar({ figure: 'p99', value: 21.456, unit: 'ms', atMost: 20 })).toBe(
    '  p99: 21.46 ms  (at most 20: MISSED)',
  );
  expect(describeBar({ figure: 'calls', value: 5 })).toBe('  calls: 5');
});
