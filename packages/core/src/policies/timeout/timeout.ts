import { parseDuration, type Duration } from '../../base/duration.js';
import { definePolicy } from '../define-policy.js';

/**
 * Sets how long a call may work; `false` for no limit. Time spent waiting for a person does not count. At the
 * deadline, `ctx.signal` is aborted and the caller gets a result with `isError: true`, whether or not the
 * method stops.
 *
 * @example
 * @McpTool()
 * @Timeout('5s') async fetchPage(url: URL, signal: AbortSignal) { … }
 */
export const Timeout = definePolicy('timeout', {
  parse: (duration: Duration | false): number | false => duration && parseDuration(duration),
});
