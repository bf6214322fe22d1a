import { durationThat, parsePositiveDuration } from '../../base/options/rules.js';
import type { Duration } from '../../base/options/option-schema.js';
import { type MaybePromise, after } from '../../base/maybe-promise.js';
import type { OptionRule } from '../../base/options/option-schema.js';
import type { Clock } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';
import type {
  MemoryRateLimiter,
  RateLimitDecision,
  RateLimitRule,
  RateLimiter,
} from '../../ports/rate-limiter.js';
import type { StoreHealth } from '../../ports/server-stores.js';
import { TimedStore } from './timed-store.js';

/** How long `health` still reports an outage after this process last counted alone, in milliseconds. */
const LATELY_MS = 5_000;

/** One request to the limiter. */
export interface Consumption {
  key: string;
  cost: number;
  rule: RateLimitRule;
}

/**
 * A limiter whose store may fail or hang. It then returns `undefined`, after 50 ms or after the time that the limiter
 * names (`patienceMs`). The limiter of this process copies each answer, late ones included, so that it can take over
 * with the shared count.
 */
export class LimiterWithFallback {
  readonly #store: TimedStore;
  readonly #clock: Clock;
  /** When this process began to count alone, and when it last did. */
  #localSince: number;
  #localAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly shared: RateLimiter,
    private readonly local: MemoryRateLimiter,
    ports: { clock: Clock; logger: Logger },
  ) {
    this.#clock = ports.clock;
    this.#localSince = ports.clock.now();
    this.#store = new TimedStore('store of the rate limiter', ports, shared.patienceMs);
  }

  consume({ key, cost, rule }: Consumption): MaybePromise<RateLimitDecision | undefined> {
    const follow = (decision: RateLimitDecision) => this.local.follow(key, rule, decision);
    return after(
      () => this.#store.ask(() => this.shared.consume(key, cost, rule), follow),
      (answer) => {
        if (answer) follow(answer.value);
        else this.#countsLocally();
        return answer?.value;
      },
    );
  }

  /** `up` is false while this process counts alone, and for a few seconds afterwards. */
  get health(): StoreHealth {
    const isLocal = this.#isLocal(this.#clock.now());
    const endedAt = Number.isFinite(this.#localAt) ? this.#localAt + LATELY_MS : this.#localSince;
    return { store: 'shared limits', up: !isLocal, since: isLocal ? this.#localSince : endedAt };
  }

  #countsLocally(): void {
    const now = this.#clock.now();
    if (!this.#isLocal(now)) this.#localSince = now;
    this.#localAt = now;
  }

  #isLocal(now: number): boolean {
    return now - this.#localAt < LATELY_MS;
  }
}

/** A longer time would overflow the timers of the store, and the count would be lost at once. */
const longestMs = 24 * 86_400_000;

/** The rule for options that name the span in which points are counted. */
export const countedSpan: OptionRule = durationThat(
  "a duration such as '1m', of 24 days at most",
  (ms) => ms > 0 && ms <= longestMs,
);

/** @throws {RangeError} */
export function rateLimitRule(points: number, per: Duration): RateLimitRule {
  const perMs = parsePositiveDuration(per);
  if (perMs > longestMs) throw new RangeError(`per: '${per}' is longer than 24 days.`);
  return { points: positive('points', points), perMs };
}

/** @throws {RangeError} */
function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${name}: ${value} is not a positive number.`);
}
