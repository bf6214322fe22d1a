import { FakeClock } from '../../../core/test/support/fake-clock.js';
import { Keys } from '../../src/keys.js';
import { RedisRateLimiter } from '../../src/stores/redis-rate-limiter.js';

// Somebody sets the machine's clock, by an hour. Operators see the limits that are not over, and when they end.
it.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a limit is shown as long as it lasts when the clock was set %s', async (_, ms) => {
  const clock = new FakeClock();
  // What Redis answers to the script: it is allowed, one point is used, and a minute is left.
  const redis = { send: async () => [1, '1', 60_000] };
  const limiter = new RedisRateLimiter(redis as never, new Keys('toolwright:'), { clock });
  await limiter.consume('ann', 1, { points: 5, perMs: 60_000 });
  clock.set(ms);
  await clock.advance(59_999);
  expect([...limiter.uses()]).toMatchObject([{ key: 'ann', resetsAt: clock.now() + 1 }]);
  await clock.advance(1);
  expect([...limiter.uses()]).toEqual([]);
});
