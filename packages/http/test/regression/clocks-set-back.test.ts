import { FakeClock } from '../../../core/test/support/fake-clock.js';
import { linkWorkersWith } from '../support/linked-workers.js';

// Somebody sets the machine's clock, by an hour. The limits of workers go by the monotonic clock, and each process has its own.
describe.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('when the clock was set %s', (_, ms) => {
  const rule = { points: 40, perMs: 60_000 };

  it.each([0, 5_000_000])('workers count exactly, with %i ms between their clocks', async (apart) => {
    const clock = new FakeClock();
    const workers = linkWorkersWith(2, clock, {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + apart,
      after: (delayMs, run) => clock.after(delayMs, run),
    });
    const consume = (call: number) => workers[call % 2]!.stores.rateLimiter.consume('ann', 1, rule);
    const allowedOf = async (calls: number) => {
      let allowed = 0;
      for (let call = 0; call < calls; call++) if ((await consume(call)).allowed) allowed++;
      return allowed;
    };
    expect(await allowedOf(10)).toBe(10);
    clock.set(ms);
    await clock.advance(rule.perMs - 1_000);
    expect(await allowedOf(60)).toBe(30);
    expect(await consume(0)).toMatchObject({ allowed: false, retryAfterMs: 1_000 });
    await clock.advance(1_000);
    expect(await allowedOf(60)).toBe(40);
  });
});
