import type { OptionSchema } from '../options/option-schema.js';
import { parseOptions } from '../options/parse-options.js';
import { count, oneOf, positiveCount, required } from '../options/rules.js';
import { definePolicy } from './define-policy.js';

export interface ConcurrencyOptions {
  /** Calls of this tool that run at a time. More wait in a queue that is fair among callers. */
  max: number;
  /** `'tool'` (default): all callers together. `'principal'`: each caller. */
  per?: 'tool' | 'principal';
  /** Calls that may wait; beyond it they are refused with the advice to retry. Default 100. */
  queue?: number;
}

const concurrencyOptions = {
  max: required(positiveCount),
  per: { ...oneOf('tool', 'principal'), default: 'tool' },
  queue: { ...count, default: 100 },
} satisfies OptionSchema<ConcurrencyOptions>;

/**
 * Limits how many calls of a tool run at a time, in addition to the server's limit per principal.
 *
 * @example
 * @McpTool()
 * @Concurrency({ max: 2 })
 * async renderPdf(pageId: string) { … }
 */
export const Concurrency = definePolicy('concurrency', {
  parse: (options: ConcurrencyOptions): Required<ConcurrencyOptions> =>
    parseOptions('@Concurrency', concurrencyOptions, options),
});
