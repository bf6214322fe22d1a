import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { positiveCount, required } from '../../base/options/rules.js';
import { duration, parseDuration, type Duration } from '../../base/duration.js';
import { definePolicy } from '../define-policy.js';

export interface CacheOptions {
  /** How long a result may be used again. */
  ttl: Duration;
  /**
   * How many results are kept for this tool. When there are too many, the one that was unused for longest is
   * removed. Default 1,000.
   */
  entries?: number;
}

const cacheOptions = {
  ttl: required(duration),
  entries: { ...positiveCount, default: 1_000 },
} satisfies OptionSchema<CacheOptions>;

/**
 * Returns the earlier result when the same principal makes the same call with equal arguments. It works for
 * prompts, resources, and tools with `readOnlyHint: true`. On the method of any other tool it is a boot
 * error. On a class it skips such tools. Failed calls are not kept.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @Cache({ ttl: '30s' }) async statistics() { … }
 */
export const Cache = definePolicy('cache', {
  parse: (options: CacheOptions): { ttlMs: number; entries: number } => {
    const { ttl, entries } = parseOptions('@Cache', cacheOptions, options);
    return { ttlMs: parseDuration(ttl), entries };
  },
});
