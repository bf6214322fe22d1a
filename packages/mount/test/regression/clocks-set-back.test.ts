import { FakeClock, settled } from '../../../core/test/support/fake-clock.js';
import { Health } from '../../src/health.js';

// Somebody sets the machine's clock, by an hour. How long calls wait for a server behind goes by the monotonic clock.
it.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('calls wait for a server that restarts as long as usual when the clock is set %s', async (_, ms) => {
  const clock = new FakeClock();
  const open = () => Promise.reject(new Error('away'));
  const health = new Health({ name: 'behind', clock, open, changed() {} });
  await health.start();
  clock.set(ms);
  let outcome = 'waits';
  health.wait(new AbortController().signal).catch(() => (outcome = 'refused'));
  await clock.advance(4_900);
  expect(outcome).toBe('waits');
  await clock.advance(200);
  await settled();
  expect(outcome).toBe('refused');
  health.close();
});

it.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('callers learn when a server is tried again, though the clock was set %s', async (_, ms) => {
  const clock = new FakeClock();
  const open = () => Promise.reject(new Error('away'));
  const health = new Health({ name: 'behind', clock, open, changed() {} });
  await health.start();
  await clock.advance(60_000);
  clock.set(ms);
  const [, pause] = /again in (\d+) s/.exec(health.away().message)!;
  expect(Number(pause)).toBeLessThanOrEqual(36);
  expect(health.retryAt! - clock.now()).toBeGreaterThan(0);
  expect(health.retryAt! - clock.now()).toBeLessThanOrEqual(36_000);
  health.close();
});
