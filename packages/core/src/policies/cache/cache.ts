import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { positiveCount, required } from '../../base/options/rules.js';
import { duration, parseDuration, type Duration } from '../../base/duration.js';
import { definePolicy } from '../define-policy.js';

export interface CacheOptions {
  /** How long a result may be given again. */
  ttl: Duration;
  /** Results kept for this tool; the one unused for longest goes first. Default 1,000. */
  entries?: number;
}

const cacheOptions = {
  ttl: required(duration),
  entries: { ...positiveCount, default: 1_000 },
} satisfies OptionSchema<CacheOptions>;

/**
 * Gives the earlier result of the same call by the same principal with equal arguments. For prompts, resources,
 * and tools with `readOnlyHint: true`: on the method of another tool it is a boot error, and on a class it does not hold
 * for those. Failed calls are not kept.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @Cache({ ttl: '30s' })
 * async statistics() { … }
 */
export const Cache = definePolicy('cache', {
  parse: (options: CacheOptions): { ttlMs: number; entries: number } => {
    const { ttl, entries } = parseOptions('@Cache', cacheOptions, options);
    return { ttlMs: parseDuration(ttl), entries };
  },
});
