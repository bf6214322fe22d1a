import { Windows } from '../../src/workers/link/windows.js';
import { linkWorkers } from '../support/linked-workers.js';

test('rules whose windows have ended are forgotten, and rules in use are not', () => {
  const windows = new Windows<{ since: number }>();
  const used = windows.of([1, 1_000_000, 'ann'], 0);
  used.set('ann', { since: 0 }, 0);
  let most = 0;
  for (let points = 2; points < 20_000; points++) {
    windows.of([points, 10, 'ann'], points).set('ann', { since: points }, points);
    most = Math.max(most, windows.size);
  }
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(1_001);
  expect(windows.of([1, 1_000_000, 'ann'], 20_000).find('ann', 20_000)).toEqual({ since: 0 });
});

test('a rule that was forgotten is counted exactly when it is used again', async () => {
  const { clock, workers } = linkWorkers(2);
  const rule = { points: 40, perMs: 60_000 };
  const allowedOf = async (calls: number) => {
    let allowed = 0;
    for (let call = 0; call < calls; call++)
      if ((await workers[call % 2]!.stores.rateLimiter.consume('ann', 1, rule)).allowed) allowed++;
    return allowed;
  };
  expect(await allowedOf(60)).toBe(40);
  clock.advance(rule.perMs);
  for (let points = 1_000; points < 2_500; points++)
    for (const { stores } of workers) await stores.rateLimiter.consume('ann', 1, { points, perMs: 60_000 });
  expect(await allowedOf(60)).toBe(40);
});

test('keys that strangers make up are bounded: the one that began first is forgotten', () => {
  const windows = new Windows<{ since: number }>().of([1, 1_000_000, 'ann'], 0);
  for (let key = 0; key <= 100_000; key++) windows.set(`address ${key}`, { since: 0 }, 0);
  expect([...windows.all()]).toHaveLength(100_000);
  expect(windows.find('address 0', 0)).toBeUndefined();
  expect(windows.find('address 1', 0)).toBeDefined();
});
