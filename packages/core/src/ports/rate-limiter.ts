/** How many points a key may use in a span of time. Limiters may take the same object for the same rule. */
export interface RateLimitRule {
  readonly points: number;
  /** Milliseconds. */
  readonly perMs: number;
}

export interface RateLimitDecision {
  allowed: boolean;
  /** Points left in the current span. */
  remaining: number;
  /** Milliseconds until enough points are back. */
  retryAfterMs: number;
}

/** Counts points. In memory by default; Redis and others through the same interface. */
export interface RateLimiter {
  /**
   * Takes `cost` points from `key` under `rule`, exactly even under concurrency. Without a promise where there is nothing
   * to wait for: calls then go on at once.
   * @throws when the store cannot be reached; the middleware's `onStoreError` decides what then.
   */
  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision>;
}
