import type { RateLimitRule } from '../../ports/rate-limiter.js';
import type { Principal } from '../../base/request-context.js';
import type { Duration } from '../../base/duration.js';
import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { callback, positive, required } from '../../base/options/rules.js';
import { countedSpan, rateLimitRule } from '../../call/limits/rate-limit-rule.js';
import { definePolicy } from '../define-policy.js';

export interface RateLimitOptions {
  /** Points a caller may use in `per`; a call costs 1, 2 with `openWorldHint: true`, 5 with `destructiveHint: true`. */
  points: number;
  /** At most 24 days. */
  per: Duration;
  /** Points of one call, in place of what the annotations say. */
  cost?: number;
  /**
   * Who shares the points of this tool. Default: each principal has its own. It gets the arguments as the client sent
   * them, before they are validated. It may wait for something, for one second at most. A call for which it throws or
   * takes longer is refused, and costs its caller the points. One for which it gives anything but a text, such as
   * `undefined`, counts against the caller's own points.
   */
  key?: (caller: {
    principal: Principal | undefined;
    arguments: Readonly<Record<string, unknown>>;
  }) => string | Promise<string>;
}

const rateLimitOptions = {
  points: required(positive),
  per: required(countedSpan),
  cost: positive,
  key: callback,
} satisfies OptionSchema<RateLimitOptions>;

export interface RateLimitPolicy {
  rule: RateLimitRule;
  cost: number | undefined;
  key: RateLimitOptions['key'];
}

/**
 * Limits how often a caller may use a tool; `false` lifts the server's default limit. A refused call gets a result
 * with `isError: true` that says when to try again.
 *
 * @example
 * @McpTool()
 * @RateLimit({ points: 60, per: '1m' })
 * async search(query: string) { … }
 */
export const RateLimit = definePolicy('rateLimit', {
  parse: (options: RateLimitOptions | false): RateLimitPolicy | false => {
    if (options === false) return false;
    const { points, per, cost, key } = parseOptions('@RateLimit', rateLimitOptions, options);
    return { rule: rateLimitRule(points, per), cost, key };
  },
});
