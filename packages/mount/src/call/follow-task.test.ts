import { pauseOf } from './follow-task.js';

// A server behind chooses it. A timer takes `NaN` for one millisecond, so such a server was asked a thousand times a second.
test.each([
  [{ pollIntervalMs: 500 }, 500],
  [{ pollInterval: 500 }, 500],
  [{ pollIntervalMs: 1 }, 100],
  [{ pollIntervalMs: 1e12 }, 10_000],
  [{ pollIntervalMs: 'soon' as never }, 1_000],
  [{ pollIntervalMs: NaN }, 1_000],
  [{ pollIntervalMs: -1 }, 1_000],
  [{}, 1_000],
])('a task that says %j is asked for again after %d ms', (task, pause) => {
  expect(pauseOf(task)).toBe(pause);
});
