import { parseDuration, type Duration } from '../pipeline/duration.js';
import { definePolicy } from './define-policy.js';

export interface CacheOptions {
  /** How long a result may be given again. */
  ttl: Duration;
  /** Results kept for this tool; the one unused for longest goes first. Default 1,000. */
  entries?: number;
}

/**
 * Gives the earlier result of the same call by the same principal with equal arguments. Only for tools with
 * `readOnlyHint: true`; a boot error on others. Failed calls are not kept.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @Cache({ ttl: '30s' })
 * async statistics() { … }
 */
export const Cache = definePolicy('cache', {
  parse: ({ ttl, entries = 1_000 }: CacheOptions): { ttlMs: number; entries: number } => {
    if (!Number.isInteger(entries) || entries < 1)
      throw new RangeError(`entries: ${entries} is not a positive integer.`);
    return { ttlMs: parseDuration(ttl), entries };
  },
});
