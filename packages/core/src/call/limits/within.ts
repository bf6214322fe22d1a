import type { Clock } from '../../ports/clock.js';

/** A shared store that takes longer counts as away, because a caller waits for its answer. In milliseconds. */
export const STORE_TIMEOUT_MS = 50;

interface Bound {
  clock: Clock;
  ms: number;
  /** Creates the error for the case that the time is over. */
  tooLate(): Error;
}

/**
 * The result of `work`, or `tooLate` after `ms`. A later result of `work` is ignored.
 *
 * A process that was busy for long finds its timers due before it has read what the store answered meanwhile.
 * So the sockets get one more turn before the time counts as over. Otherwise each pause of a process would
 * count as an outage of the store.
 */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopClock = clock.after(ms, () => void setImmediate(() => reject(tooLate())));
    work.then(
      (value) => {
        stopClock();
        resolve(value);
      },
      (error: unknown) => {
        stopClock();
        reject(error as Error);
      },
    );
  });
}
