import type { Clock } from '@toolwright/core';
import type { Authentication } from './authentication.js';

/** Milliseconds that it may take to find out who calls: an issuer that is slow at each of its addresses stays below. */
const LONGEST_MS = 30_000;

/** Seconds after which a caller may try again. */
const RETRY_SECONDS = 5;

/** Who calls; nobody is let in when that is not known in time, and no request waits for ever. */
export function withinTime(outcome: Promise<Authentication>, clock: Clock): Promise<Authentication> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(LONGEST_MS, () => resolve(unknown));
    outcome.then(resolve, reject).then(stop, stop);
  });
}

const unknown: Authentication = {
  challenge: {
    status: 503,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
    message: 'It cannot be found out right now who calls',
    reason: 'unavailable',
  },
};
