import type { RateLimitRule } from '../../ports/rate-limiter.js';
import type { Principal } from '../../base/request-context.js';
import type { Duration } from '../../base/duration.js';
import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { callback, positive, required } from '../../base/options/rules.js';
import { countedSpan, rateLimitRule } from '../../call/limits/rate-limit-rule.js';
import { definePolicy } from '../define-policy.js';

export interface RateLimitOptions {
  /**
   * The points that a caller may use within `per`. A call costs 1 point, 2 with `openWorldHint: true`, and 5
   * with `destructiveHint: true`.
   */
  points: number;
  /** The span of time in which the points are counted. At most 24 days. */
  per: Duration;
  /** The points of one call. It replaces the cost that the annotations set. */
  cost?: number;
  /**
   * Returns a text; calls with the same text share the points of this tool. Default: each principal has its
   * own points. The function gets the arguments as the client sent them, before they are validated. It may be
   * async and may take one second at most. If it throws or takes longer, the call is refused with a text that
   * says so, and the caller is charged the points. A `ToolError` that it throws is told to the model. If it returns anything but a text, such as `undefined`, the call counts against
   * the caller's own points.
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
 * Limits how often a caller may use a tool. `false` removes the server's default limit. A refused call gets a
 * result with `isError: true` that says when to try again.
 *
 * @example
 * @McpTool()
 * @RateLimit({ points: 60, per: '1m' }) async search(query: string) { … }
 */
export const RateLimit = definePolicy('rateLimit', {
  parse: (options: RateLimitOptions | false): RateLimitPolicy | false => {
    if (options === false) return false;
    const { points, per, cost, key } = parseOptions('@RateLimit', rateLimitOptions, options);
    return { rule: rateLimitRule(points, per), cost, key };
  },
});
