import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitDecision, RateLimiter, RateLimitRule } from './rate-limiter.js';

/** Counts in the memory of this process, with rate-limiter-flexible. One window per key, from its first call on. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limiters = new Map<string, RateLimiterMemory>();

  consume(key: string, cost: number, rule: RateLimitRule): Promise<RateLimitDecision> {
    const decide = (allowed: boolean) => (state: RateLimiterRes) => ({
      allowed,
      remaining: state.remainingPoints,
      retryAfterMs: state.msBeforeNext,
    });
    return this.#limiterFor(rule)
      .consume(key, cost)
      .then(decide(true), (rejected: RateLimiterRes | Error) => {
        if (rejected instanceof Error) throw rejected;
        return decide(false)(rejected);
      });
  }

  #limiterFor({ points, perMs }: RateLimitRule): RateLimiterMemory {
    const name = `${points}/${perMs}`;
    let limiter = this.#limiters.get(name);
    if (!limiter) {
      // The package's index loads the adapters of every store it knows, some 30 files. This is the one that is needed.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- at first need
      const Memory = require('rate-limiter-flexible/lib/RateLimiterMemory.js') as typeof RateLimiterMemory;
      limiter = new Memory({ keyPrefix: name, points, duration: perMs / 1_000 });
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }
}
