import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { RateLimitDecision, RateLimiter, RateLimitRule } from '../../ports/rate-limiter.js';
import { isPromise, type MaybePromise } from '../../base/maybe-promise.js';
import { Outage } from './outage.js';
import { STORE_TIMEOUT_MS, within } from './within.js';

/** One request to the limiter. */
export interface Consumption {
  key: string;
  cost: number;
  rule: RateLimitRule;
}

/** A limiter whose store may fail or hang. In that case it returns `undefined`, after 50 ms at most. */
export class InsuredLimiter {
  readonly #outage: Outage;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly ports: { clock: Clock; logger: Logger },
  ) {
    this.#outage = new Outage('store of the rate limiter', ports.logger);
  }

  consume({ key, cost, rule }: Consumption): MaybePromise<RateLimitDecision | undefined> {
    let decision: MaybePromise<RateLimitDecision>;
    try {
      decision = this.limiter.consume(key, cost, rule);
    } catch (error) {
      this.#outage.failed(error);
      return undefined;
    }
    return isPromise(decision) ? this.#inTime(decision) : this.#answered(decision);
  }

  #inTime(decision: Promise<RateLimitDecision>): Promise<RateLimitDecision | undefined> {
    const tooLate = () => new Error(`The store of the rate limiter took longer than ${STORE_TIMEOUT_MS} ms.`);
    return within(decision, { clock: this.ports.clock, ms: STORE_TIMEOUT_MS, tooLate }).then(
      (value) => this.#answered(value),
      (error: unknown) => {
        this.#outage.failed(error);
        return undefined;
      },
    );
  }

  #answered(decision: RateLimitDecision): RateLimitDecision {
    this.#outage.answered();
    return decision;
  }
}
