import type { Clock } from '@toolwright/core';
import { PostgresError } from '../errors.js';

export interface Deadline {
  clock: Clock;
  ms: number;
  /** Is called when the time is over. The work may still be running. */
  giveUp(): void;
}

/**
 * Waits for the work, but no longer than the deadline.
 *
 * @throws {PostgresError} `TW_POSTGRES_UNAVAILABLE` when the time is over
 */
export function inTime<T>(work: Promise<T>, { clock, ms, giveUp }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopClock = clock.after(ms, () => {
      giveUp();
      reject(new PostgresError('TW_POSTGRES_UNAVAILABLE', `Postgres does not answer within ${ms} ms.`));
    });
    work.then(resolve, reject).finally(stopClock);
  });
}
