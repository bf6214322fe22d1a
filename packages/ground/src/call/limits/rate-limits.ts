import { RETRY_AFTER_MS } from '../../base/errors/errors.js';
import { durationThat, parsePositiveDuration } from '../../base/options/rules.js';
import type { Duration } from '../../base/options/option-schema.js';
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
import { TimedStore, within } from './timed-store.js';
import { keepNewest, type MaybePromise, after, isPromise } from '@toolwright/json';

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
    this.#store = new TimedStore('store of the rate limiter', ports, {
      patienceMs: shared.patienceMs,
      consequence: 'this process counts for itself, and what it counts is not added afterwards',
    });
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
 * refused, and that is logged once a minute. Callers with different points are counted apart, and a caller whose points
 * change begins anew.
 *
 * A function that returns no promise is called for each call: keep it cheap. A promise, such as of a database, is asked
 * for once a minute for each caller, and its answer may take one second. When it is rejected or takes longer, the last
 * answer goes on to count, and calls of a caller without one are refused. The process keeps the answers for the last
 * 10,000 callers.
 */
export type LimitedPoints = number | ((principal: Principal | undefined) => MaybePromise<number>);

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

/** For how long an answer of a promise counts, in milliseconds. */
const ANSWER_MS = 60_000;
/** How long a limit waits for what says its key or its points, in milliseconds. The deadline does not run yet then. */
export const LIMIT_PATIENCE_MS = 1_000;
/** The callers whose answers are kept. */
const MOST_ANSWERS = 10_000;

/** What a promise has said about a caller. */
interface Answered {
  rule?: RateLimitRule;
  /** When it is asked for again, by the monotonic clock. */
  until: number;
  asking?: Promise<RateLimitRule | undefined> | undefined;
}

/** The rules of callers that may use different numbers of points. */
export class PointsByCaller {
  readonly #rules = new Map<number, RateLimitRule>();
  /** Of functions that return promises, by caller. */
  readonly #answers = new Map<string, Answered>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly points: (principal: Principal | undefined) => MaybePromise<number>,
    readonly perMs: number,
  ) {}

  get [BY_CALLER](): true {
    return true;
  }

  /**
   * @param caller whose points these are, as limits count
   * @returns nothing when the function failed; this is logged, once a minute
   */
  ruleFor(
    principal: Principal | undefined,
    caller: string,
    ports: Ports,
  ): MaybePromise<RateLimitRule | undefined> {
    const known = this.#answers.get(caller);
    if (known?.asking) return known.asking;
    if (known && monotonic(ports.clock) < known.until) return known.rule;
    try {
      const points: unknown = this.points(principal);
      if (!isPromise(points)) return this.#ruleOf(points);
      return this.#await(points, known ?? { until: 0 }, { caller, ports });
    } catch (err) {
      return this.#failed(err, ports);
    }
  }

  /** All calls of a caller wait for one answer. */
  #await(
    points: PromiseLike<unknown>,
    answered: Answered,
    { caller, ports }: { caller: string; ports: Ports },
  ): Promise<RateLimitRule | undefined> {
    const { clock } = ports;
    const tooLate = () => new Error(`The points of a caller took longer than ${LIMIT_PATIENCE_MS} ms.`);
    const end = (pause: number) => {
      answered.until = monotonic(clock) + pause;
      answered.asking = undefined;
      return answered.rule;
    };
    keepNewest(this.#answers, caller, answered, MOST_ANSWERS);
    const asking = within(Promise.resolve(points), { clock, ms: LIMIT_PATIENCE_MS, tooLate })
      .then((value) => {
        answered.rule = this.#ruleOf(value);
        return end(ANSWER_MS);
      })
      .catch((err: unknown) => {
        this.#failed(err, ports);
        return end(answered.rule ? RETRY_AFTER_MS.away : 0);
      });
    answered.asking = asking;
    return asking;
  }

  /** @throws {TypeError} */
  #ruleOf(points: unknown): RateLimitRule {
    if (!Number.isInteger(points) || (points as number) < 0)
      throw new TypeError(`It returned ${typeof points === 'number' ? points : typeof points}.`);
    let rule = this.#rules.get(points as number);
    if (!rule) {
      if (this.#rules.size >= MOST_RULES) this.#rules.clear();
      this.#rules.set(points as number, (rule = { points: points as number, perMs: this.perMs }));
    }
    return rule;
  }

  #failed(err: unknown, { clock, logger }: Ports): undefined {
    const now = monotonic(clock);
    if (now - this.#loggedAt < QUIET_MS) return;
    this.#loggedAt = now;
    logger.error(
      { err },
      'The points of a rate limit cannot be found, so the last ones count, or calls are refused',
    );
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
  if (Number.isFinite(points) && points > 0) return { points, perMs };
  throw new RangeError(`points: ${points} is not a positive number.`);
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
