import { MemoryRateLimiter } from './rate-limiter.js';

const rule = { points: 3, perMs: 1_000 };

function limiterAt(start: number) {
  const clock = { time: start, now: () => clock.time, after: () => () => undefined };
  return { clock, limiter: new MemoryRateLimiter(clock) };
}

test('answers without a promise', () => {
  const { limiter } = limiterAt(0);
  expect(limiter.consume('ann', 1, rule)).toEqual({ allowed: true, remaining: 2, retryAfterMs: 1_000 });
});

test('a window begins with the first call and ends for all its points at once', () => {
  const { clock, limiter } = limiterAt(500);
  limiter.consume('ann', 2, rule);
  clock.time = 1_400;
  expect(limiter.consume('ann', 1, rule)).toMatchObject({ allowed: true, remaining: 0, retryAfterMs: 100 });
  clock.time = 1_500;
  expect(limiter.consume('ann', 3, rule)).toMatchObject({ allowed: true, remaining: 0, retryAfterMs: 1_000 });
});

test('what is refused costs nothing: a cheaper call may still pass', () => {
  const { limiter } = limiterAt(0);
  limiter.consume('ann', 2, rule);
  expect(limiter.consume('ann', 2, rule)).toMatchObject({ allowed: false, remaining: 1 });
  expect(limiter.consume('ann', 1, rule)).toMatchObject({ allowed: true, remaining: 0 });
});

test('rules of the same key do not mix', () => {
  const { limiter } = limiterAt(0);
  limiter.consume('ann', 3, rule);
  expect(limiter.consume('ann', 3, { points: 3, perMs: 2_000 })).toMatchObject({ allowed: true });
});

test('equal rules count together, whichever object says them', () => {
  const { limiter } = limiterAt(0);
  limiter.consume('ann', 3, rule);
  expect(limiter.consume('ann', 1, { ...rule })).toMatchObject({ allowed: false });
});

test('a clock that was put back begins a new window', () => {
  const { clock, limiter } = limiterAt(1_000_000);
  limiter.consume('ann', 3, rule);
  clock.time = 0;
  expect(limiter.consume('ann', 1, rule)).toMatchObject({ allowed: true, retryAfterMs: 1_000 });
});

test('keys that strangers make up are bounded: over 100,000, the one that began first is forgotten', () => {
  const { limiter } = limiterAt(0);
  for (let key = 0; key <= 100_000; key++) limiter.consume(`address ${key}`, 3, rule);
  expect([...limiter.uses()]).toHaveLength(100_000);
  expect(limiter.consume('address 1', 1, rule).allowed).toBe(false);
  expect(limiter.consume('address 0', 1, rule).allowed).toBe(true);
});
