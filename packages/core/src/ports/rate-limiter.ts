/**
 * How many points a key may use within a span of time. The same rule may be passed as the same object each
 * time.
 */
export interface RateLimitRule {
  readonly points: number;
  /** The span of time in milliseconds. */
  readonly perMs: number;
}

export interface RateLimitDecision {
  allowed: boolean;
  /** The points that are left in the current span. */
  remaining: number;
  /** How many milliseconds it takes until enough points are available again. */
  retryAfterMs: number;
}

/** What a key has used of a rule since its span began. */
export interface RateLimitUse {
  readonly key: string;
  readonly rule: RateLimitRule;
  readonly used: number;
  /** When the points are available again, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Counts points. The default counts in memory; implement this interface for Redis and other stores. */
export interface RateLimiter {
  /**
   * How many milliseconds a call may wait for an answer. Then this process counts for itself. Default 50: a store
   * that is reached over a network may hang. It may be more where the other end lives and dies with this process.
   */
  readonly patienceMs?: number;
  /**
   * Takes `cost` points from `key` under `rule`. It must count exactly, even when many calls arrive at the
   * same time. Return a plain value, and no promise, when there is nothing to wait for: the call then goes on
   * at once.
   *
   * @throws when the store cannot be reached; the option `onStoreError` then decides
   */
  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision>;
  /** What is used at the moment, for operators. Without it, they do not see it. */
  uses?(): Iterable<RateLimitUse>;
  /** Gives a key its points of a rule back, for operators. */
  reset?(key: string, rule: RateLimitRule): void;
}
