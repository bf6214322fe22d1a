import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { count, filledText, oneOf, positiveCount, required } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

export interface ConcurrencyOptions {
  /**
   * How many calls of this tool may run at a time. Further calls wait in a queue that is fair to all callers.
   */
  max: number;
  /** `'tool'` (default) counts all callers together. `'principal'` counts each caller separately. */
  per?: 'tool' | 'principal';
  /** How many calls may wait. Further calls are refused and told to retry later. Default 100. */
  queue?: number;
  /**
   * Operations with the same group share their slots, even in different classes. All of them must have the
   * same `max`, `per` and `queue`; otherwise there is a boot error. Default: each operation has its own
   * slots.
   */
  group?: string;
}

const concurrencyOptions = {
  max: required(positiveCount),
  per: { ...oneOf('tool', 'principal'), default: 'tool' },
  queue: { ...count, default: 100 },
  group: filledText,
} satisfies OptionSchema<ConcurrencyOptions>;

/**
 * Limits how many calls of an operation run at a time, in addition to the server's limit per principal. A
 * slot becomes free when the work has ended, and not at the deadline. On a class, each of its operations has
 * a limit of its own; with a `group`, all of them share one limit.
 *
 * @example
 * @McpTool()
 * @Concurrency({ max: 2 }) async renderPdf(pageId: string) { … }
 * @example
 * @McpService()
 * @Concurrency({ max: 1, group: 'graph' }) class GraphTools { … }
 */
export const Concurrency = definePolicy('concurrency', {
  parse: (options: ConcurrencyOptions) => parseOptions('@Concurrency', concurrencyOptions, options),
});
