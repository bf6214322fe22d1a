import { after } from '../../base/maybe-promise.js';
import type { Method } from '../engine.js';
import { isLogLevel } from '../../base/log.js';
import { invalidParams } from '../messages/protocol-errors.js';

/** A method of the older era. On 2026-07-28, each request names the level. */
export const loggingSetLevel: Method = {
  name: 'logging/setLevel',
  handle({ params, session }) {
    const { level } = params;
    if (!isLogLevel(level)) throw invalidParams('"level" must be one of the eight log levels.');
    return after(
      () => session?.setLogLevel(level),
      () => '{}',
    );
  },
};
