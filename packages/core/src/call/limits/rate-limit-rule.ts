import type { RateLimitRule } from '../../ports/rate-limiter.js';
import type { OptionRule } from '../../base/options/option-schema.js';
import { duration, parseDuration, type Duration } from '../../base/duration.js';

/** A longer time would overflow the timers of the store, and the count would be lost at once. */
const longestMs = 24 * 86_400_000;

/** The rule for options that say for how long points are counted. */
export const countedSpan: OptionRule = {
  expected: "a duration such as '1m', of 24 days at most",
  accepts: (value) => duration.accepts(value) && parseDuration(value as Duration) <= longestMs,
};

/** @throws {RangeError} */
export function rateLimitRule(points: number, per: Duration): RateLimitRule {
  const perMs = parseDuration(per);
  if (perMs > longestMs) throw new RangeError(`per: '${per}' is longer than 24 days.`);
  return { points: positive('points', points), perMs };
}

/** @throws {RangeError} */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${name}: ${value} is not a positive number.`);
}
