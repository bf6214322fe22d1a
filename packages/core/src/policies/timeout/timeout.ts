import { parseDuration, type Duration } from '../../base/duration.js';
import { definePolicy } from '../define-policy.js';

/**
 * How long a call may work, time spent waiting for a person not counted; `false` for no limit. Then `ctx.signal` is
 * aborted and the caller gets a result with `isError: true`, whether the method stops or not.
 *
 * @example
 * @McpTool()
 * @Timeout('5s')
 * async fetchPage(url: URL, signal: AbortSignal) { … }
 */
export const Timeout = definePolicy('timeout', {
  parse: (duration: Duration | false): number | false => duration && parseDuration(duration),
});
