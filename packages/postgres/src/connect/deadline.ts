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
 * A process that was busy for long finds its timers due before it has read what Postgres answered meanwhile. So the
 * sockets get one more turn before the time counts as over.
 *
 * @throws {PostgresError} `TW_POSTGRES_UNAVAILABLE` when the time is over
 */
export function inTime<T>(work: Promise<T>, { clock, ms, giveUp }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    let isDone = false;
    const expire = () => {
      if (isDone) return;
      giveUp();
      reject(new PostgresError('TW_POSTGRES_UNAVAILABLE', `Postgres does not answer within ${ms} ms.`));
    };
    const stopClock = clock.after(ms, () => void setImmediate(expire));
    const done = () => {
      isDone = true;
      stopClock();
    };
    work.then(resolve, reject).finally(done);
  });
}
