import { definePolicy } from './define-policy.js';

export interface ConcurrencyOptions {
  /** Calls of this tool that run at a time. More wait in a queue that is fair among callers. */
  max: number;
  /** `'tool'` (default): all callers together. `'principal'`: each caller. */
  per?: 'tool' | 'principal';
  /** Calls that may wait; beyond it they are refused with the advice to retry. Default 100. */
  queue?: number;
}

/**
 * Limits how many calls of a tool run at a time, in addition to the server's limit per principal.
 *
 * @example
 * @McpTool()
 * @Concurrency({ max: 2 })
 * async renderPdf(pageId: string) { … }
 */
export const Concurrency = definePolicy('concurrency', {
  parse: ({ max, per = 'tool', queue = 100 }: ConcurrencyOptions): Required<ConcurrencyOptions> => {
    if (!Number.isInteger(max) || max < 1) throw new RangeError(`max: ${max} is not a positive integer.`);
    if (!Number.isInteger(queue) || queue < 0) throw new RangeError(`queue: ${queue} is not a whole number.`);
    return { max, per, queue };
  },
});
