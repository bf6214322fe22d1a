import { durationThat, parsePositiveDuration } from '../../base/options/rules.js';
import type { Duration } from '../../base/options/option-schema.js';
import { type MaybePromise, after, isPromise } from '../../base/maybe-promise.js';
import type { OperationKind } from '../../base/operation-kinds.js';
import type { Principal } from '../../base/request-context.js';
import type { OptionRule } from '../../base/options/option-schema.js';
import { type Clock, monotonic, wallTime } from '../../ports/clock-and-ids.js';
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
    const isLocal = this.#isLocal(monotonic(this.#clock));
    const endedAt = Number.isFinite(this.#localAt)
      ? wallTime(this.#clock, this.#localAt + LATELY_MS)
      : this.#localSince;
    return { store: 'shared limits', up: !isLocal, since: isLocal ? this.#localSince : endedAt };
  }

  #countsLocally(): void {
    const now = monotonic(this.#clock);
    if (!this.#isLocal(now)) this.#localSince = this.#clock.now();
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

/**
 * How many points a caller may use: a number for all, or a function that says it for each, such as by the plan of a
 * tenant. A whole number of at least 0; 0 lets no call through. If it throws or returns anything else, the call is
 * refused, and that is logged once a minute. It is called for each call: keep it synchronous and cheap. Callers with
 * different points are counted apart, and a caller whose points change begins anew.
 */
export type LimitedPoints = number | ((principal: Principal | undefined) => number);

/** A call, as the key of a rate limit sees it. */
export interface LimitedCall {
  principal: Principal | undefined;
  /** The arguments as the client sent them, before they are validated. */
  arguments: Readonly<Record<string, unknown>>;
  /** What is called. */
  operation: { readonly kind: OperationKind; readonly name: string };
}

/** Returns a text; calls with the same text share the points. */
export type LimitKey = (call: LimitedCall) => string | Promise<string>;

/** What a limit allows, and who shares it. */
export interface CallLimit {
  readonly rule: RateLimitRule | PointsByCaller;
  readonly key: LimitKey | undefined;
  /** True when the calls of all such operations count together. */
  readonly acrossTools: boolean;
}

/** For how long a function that fails is not logged again, in milliseconds. */
const QUIET_MS = 60_000;
/** Callers have a few plans. More rules than this are not kept. */
const MOST_RULES = 1_000;

/** On the prototype, so that points are recognised from another copy of this package. */
export const BY_CALLER = Symbol.for('toolwright.pointsByCaller');

/** The rules of callers that may use different numbers of points. */
export class PointsByCaller {
  readonly #rules = new Map<number, RateLimitRule>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly points: (principal: Principal | undefined) => number,
    readonly perMs: number,
  ) {}

  get [BY_CALLER](): true {
    return true;
  }

  /** @returns nothing when the function failed; this is logged, once a minute */
  ruleFor(principal: Principal | undefined, { clock, logger }: Ports): RateLimitRule | undefined {
    try {
      const points: unknown = this.points(principal);
      if (Number.isInteger(points) && (points as number) >= 0) return this.#rule(points as number);
      if (isPromise(points)) void points.then(undefined, () => undefined);
      throw new TypeError(`It returned ${typeof points === 'number' ? points : typeof points}.`);
    } catch (err) {
      const now = monotonic(clock);
      if (now - this.#loggedAt >= QUIET_MS) {
        this.#loggedAt = now;
        logger.error({ err }, 'The points of a rate limit cannot be found, so calls are refused');
      }
      return undefined;
    }
  }

  #rule(points: number): RateLimitRule {
    let rule = this.#rules.get(points);
    if (!rule) {
      if (this.#rules.size >= MOST_RULES) this.#rules.clear();
      this.#rules.set(points, (rule = { points, perMs: this.perMs }));
    }
    return rule;
  }
}

interface Ports {
  clock: Clock;
  logger: Logger;
}

/** @throws {RangeError} */
export function rateLimitRule(points: LimitedPoints, per: Duration): RateLimitRule | PointsByCaller {
  const perMs = parsePositiveDuration(per);
  if (perMs > longestMs) throw new RangeError(`per: '${per}' is longer than 24 days.`);
  if (typeof points === 'function') return new PointsByCaller(points, perMs);
  return { points: positive('points', points), perMs };
}

/** The limit that options describe. @throws {RangeError} */
export function callLimit(options: {
  points: LimitedPoints;
  per: Duration;
  key?: LimitKey;
  acrossTools?: boolean;
}): CallLimit {
  const { points, per, key, acrossTools = false } = options;
  return { rule: rateLimitRule(points, per), key, acrossTools };
}

/** @throws {RangeError} */
function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${name}: ${value} is not a positive number.`);
}
