import assert from 'node:assert/strict';
import type { RateLimiter } from '@toolwright/core/ports';
import { describeContract } from './test-runner.js';

/** A rate limiter under test. Its store is empty. */
export interface RateLimiterSubject {
  limiter: RateLimiter;
  /** The limiter of another process. Pass it for limiters that processes share. */
  peer?: RateLimiter;
  /**
   * Lets `ms` milliseconds pass for the limiter. It moves the limiter's clock, or waits where the test cannot
   * set the clock.
   */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

/** No points come back within a test, however busy the machine is. */
const rule = { points: 5, perMs: 24 * 3_600_000 };
/** The test lets its time pass. Where it cannot set the clock, it waits this long. */
const short = { points: 5, perMs: 2_000 };

/**
 * Declares the tests that every `RateLimiter` must pass.
 *
 * @param name the name of the implementation, for the report
 * @param create makes a subject; it is called once per test
 */
export function describeRateLimiter(
  name: string,
  create: () => RateLimiterSubject | Promise<RateLimiterSubject>,
): void {
  describeContract(`${name} keeps the contract of RateLimiter`, create, {
    async 'allows as many points as the rule has, then refuses and says for how long'({ limiter }) {
      for (let left = rule.points - 1; left >= 0; left--) {
        const { allowed, remaining } = await limiter.consume('ann', 1, rule);
        assert.deepEqual({ allowed, remaining }, { allowed: true, remaining: left });
      }
      const refusal = await limiter.consume('ann', 1, rule);
      assert.equal(refusal.allowed, false);
      assert.equal(refusal.remaining, 0);
      assert.ok(refusal.retryAfterMs > 0 && refusal.retryAfterMs <= rule.perMs, `${refusal.retryAfterMs} ms`);
    },

    async 'takes as many points as a call costs'({ limiter }) {
      const first = await limiter.consume('ann', 3, rule);
      assert.deepEqual([first.allowed, first.remaining], [true, 2]);
      assert.equal((await limiter.consume('ann', 3, rule)).allowed, false);
    },

    async 'refuses a cost that no span of time can pay'({ limiter }) {
      assert.equal((await limiter.consume('ann', rule.points + 1, rule)).allowed, false);
    },

    async 'counts every key for itself'({ limiter }) {
      await limiter.consume('ann', rule.points, rule);
      assert.equal((await limiter.consume('ann', 1, rule)).allowed, false);
      assert.equal((await limiter.consume('bob', 1, rule)).allowed, true);
    },

    async 'gives the points back when their time has passed'({ limiter, elapse }) {
      await limiter.consume('ann', short.points, short);
      const { retryAfterMs } = await limiter.consume('ann', 1, short);
      await elapse(retryAfterMs + 1);
      assert.equal((await limiter.consume('ann', 1, short)).allowed, true);
    },

    async 'is exact when many calls arrive at once, whichever process they reach'({
      limiter,
      peer = limiter,
    }) {
      const decisions = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => (index % 2 ? limiter : peer).consume('ann', 1, rule)),
      );
      const allowed = decisions.filter((each) => each.allowed);
      assert.deepEqual(allowed.map(({ remaining }) => remaining).sort(), [0, 1, 2, 3, 4]);
    },

    async 'counts parts of points, and a refused call costs nothing'({ limiter, peer = limiter }) {
      const parts = { points: 2.5, perMs: rule.perMs };
      const decided: unknown[] = [];
      for (const cost of [3, 0.1, 0.2, 2.3, 2.2, 0]) {
        const { allowed, remaining } = await (decided.length % 2 ? limiter : peer).consume(
          'ann',
          cost,
          parts,
        );
        decided.push([allowed, Number(remaining.toFixed(6))]);
      }
      assert.deepEqual(decided, [
        [false, 2.5],
        [true, 2.4],
        [true, 2.2],
        [false, 2.2],
        [true, 0],
        [true, 0],
      ]);
    },

    async 'gives the points of a key back to it alone, if operators can do that'({ limiter }) {
      if (!limiter.reset) return;
      for (const key of ['ann', 'bob']) await limiter.consume(key, rule.points, rule);
      limiter.reset('ann', rule);
      while (!(await limiter.consume('ann', 1, rule)).allowed);
      assert.equal((await limiter.consume('bob', 1, rule)).allowed, false);
    },
  });
}
