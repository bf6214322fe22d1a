import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { RateLimitDecision, RateLimiter, RateLimitRule } from '../../ports/rate-limiter.js';
import { after, type MaybePromise } from '../../base/maybe-promise.js';
import { TimedStore } from './timed-store.js';

/** One request to the limiter. */
export interface Consumption {
  key: string;
  cost: number;
  rule: RateLimitRule;
}

/** A limiter whose store may fail or hang. In that case it returns `undefined`, after 50 ms at most, or as long as it says. */
export class InsuredLimiter {
  readonly #store: TimedStore;

  constructor(
    private readonly limiter: RateLimiter,
    ports: { clock: Clock; logger: Logger },
  ) {
    this.#store = new TimedStore('store of the rate limiter', ports, limiter.patienceMs);
  }

  consume({ key, cost, rule }: Consumption): MaybePromise<RateLimitDecision | undefined> {
    return after(
      () => this.#store.ask(() => this.limiter.consume(key, cost, rule)),
      (answer) => answer?.value,
    );
  }
}
