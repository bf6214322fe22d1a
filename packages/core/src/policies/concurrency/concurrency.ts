import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { count, filledText, oneOf, positiveCount, required } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

export interface ConcurrencyOptions {
  /** Calls of this tool that run at a time. More wait in a queue that is fair among callers. */
  max: number;
  /** `'tool'` (default): all callers together. `'principal'`: each caller. */
  per?: 'tool' | 'principal';
  /** Calls that may wait; beyond it they are refused with the advice to retry. Default 100. */
  queue?: number;
  /**
   * Operations with the same group share their slots, also across classes. All of them say the same `max`, `per` and
   * `queue`; a boot error otherwise. Default: each operation has its own.
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
 * Limits how many calls of an operation run at a time, in addition to the server's limit per principal. A slot is free when
 * the work is over, not when its deadline is. On a class it limits each of its operations by itself; with a `group`, all of
 * them together.
 *
 * @example
 * @McpTool()
 * @Concurrency({ max: 2 })
 * async renderPdf(pageId: string) { … }
 * @example
 * @McpService()
 * @Concurrency({ max: 1, group: 'graph' })
 * class GraphTools { … }
 */
export const Concurrency = definePolicy('concurrency', {
  parse: (options: ConcurrencyOptions) => parseOptions('@Concurrency', concurrencyOptions, options),
});
