import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { RateLimitDecision, RateLimiter, RateLimitRule } from '../../ports/rate-limiter.js';
import { isPromise, type MaybePromise } from '../../base/maybe-promise.js';
import { within } from './within.js';

/** A store that takes longer counts as unreachable, because a caller waits for its answer. */
const storeTimeoutMs = 50;

/** One request to the limiter. */
export interface Consumption {
  key: string;
  cost: number;
  rule: RateLimitRule;
}

/** A limiter whose store may fail or hang. In that case it returns `undefined`, after 50 ms at most. */
export class InsuredLimiter {
  #down = false;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly ports: { clock: Clock; logger: Logger },
  ) {}

  consume({ key, cost, rule }: Consumption): MaybePromise<RateLimitDecision | undefined> {
    let decision: MaybePromise<RateLimitDecision>;
    try {
      decision = this.limiter.consume(key, cost, rule);
    } catch (error) {
      return this.#failed(error);
    }
    return isPromise(decision) ? this.#inTime(decision) : this.#answered(decision);
  }

  #inTime(decision: Promise<RateLimitDecision>): Promise<RateLimitDecision | undefined> {
    const tooLate = () => new Error(`The store of the rate limiter took longer than ${storeTimeoutMs} ms.`);
    return within(decision, { clock: this.ports.clock, ms: storeTimeoutMs, tooLate }).then(
      (value) => this.#answered(value),
      (error: unknown) => this.#failed(error),
    );
  }

  #answered(decision: RateLimitDecision): RateLimitDecision {
    if (this.#down) this.ports.logger.info({}, 'The store of the rate limiter answers again');
    this.#down = false;
    return decision;
  }

  /** It is logged once per outage. A line per call would flood the log. */
  #failed(error: unknown): undefined {
    if (!this.#down) this.ports.logger.error({ err: error }, 'The store of the rate limiter does not answer');
    this.#down = true;
    return undefined;
  }
}
