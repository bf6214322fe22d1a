import { retryPause } from './run-decisions.js';

test('pauses grow up to an hour, and those of tasks that failed together differ', () => {
  for (let attempt = 1; attempt <= 60; attempt++) {
    const longest = Math.min(3_600_000, 1_000 * 2 ** (attempt - 1));
    const pauses = Array.from({ length: 50 }, (_, task) => retryPause(`task ${task}`, attempt, 1_000));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(25);
  }
});
