interface PauseBounds {
  readonly firstMs: number;
  /** Default: no limit. */
  readonly longestMs?: number;
}

/**
 * How long to wait before the next attempt, in milliseconds. Each pause is twice as long as the one before it.
 *
 * @param before how many pauses there were before this one
 * @param share how much of the second half of the pause is left, from 0 to 1. With `Math.random()`, processes that failed together
 *   do not come back together
 * @example
 * growingPause(3, { firstMs: 100, longestMs: 5_000 }) // 800
 */
export function growingPause(
  before: number,
  { firstMs, longestMs = Infinity }: PauseBounds,
  share = 1,
): number {
  // The exponent has a limit because 0 times Infinity is NaN.
  const whole = Math.min(longestMs, firstMs * 2 ** Math.min(before, 100));
  return Math.round(whole * (0.5 + share / 2));
}
