import { RETRY_AFTER_MS } from '@toolwright/core/transport';
import type { Clock } from '@toolwright/core/ports';
import type { Authentication } from './authentication.js';

/**
 * How many milliseconds authentication may take. An issuer that is slow at each of its addresses still needs
 * less.
 */
const LONGEST_MS = 30_000;

/**
 * Finds out who calls, within the time limit. If this is not known in time, nobody is let in, and no request
 * waits for ever.
 */
export function withinTime(outcome: Promise<Authentication>, clock: Clock): Promise<Authentication> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(LONGEST_MS, () => resolve(unknown));
    outcome.then(resolve, reject).then(stop, stop);
  });
}

const unknown: Authentication = {
  challenge: {
    status: 503,
    headers: { 'Retry-After': String(RETRY_AFTER_MS.away / 1_000) },
    message: 'It cannot be found out right now who calls',
    reason: 'unavailable',
  },
};
