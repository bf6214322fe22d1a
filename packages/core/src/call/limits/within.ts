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
 * Time in which this process was busy is not the fault of the store: nothing was sent or read meanwhile. A
 * process that was busy for long finds its timers due at once. So the time has two halves, and a pause uses up
 * only one of them. At the end, the sockets get one more turn. Otherwise each pause of a process would count
 * as an outage of the store.
 */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(tooLate());
    let stopClock = clock.after(ms / 2, () => {
      stopClock = clock.after(ms / 2, () => void setImmediate(expire));
    });
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
