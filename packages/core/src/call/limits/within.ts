import type { Clock } from '../../ports/clock.js';

/** A shared store that takes longer counts as away, because a caller waits for its answer. In milliseconds. */
export const STORE_TIMEOUT_MS = 50;

const SLICES = 5;
/** Nobody waits for ever, however busy the process is. */
const MOST_SLICES = 4 * SLICES;
/** A timer that comes later than this was held up by the process or by the machine. */
const LATE_MS = 5;

interface Bound {
  clock: Clock;
  ms: number;
  /** Creates the error for the case that the time is over. */
  tooLate(): Error;
}

/**
 * The result of `work`, or `tooLate` after `ms`. A later result of `work` is ignored.
 *
 * Time in which this process was busy, or was not given the CPU, is not the fault of the store: nothing was sent or
 * read meanwhile. Such a process finds its timers due late. So the time has slices, and one whose timer was late does
 * not count. At the end, the sockets get one more turn. Otherwise each pause of a process would count as an outage of
 * the store.
 */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(tooLate());
    const slice = ms / SLICES;
    let left = SLICES;
    let most = MOST_SLICES;
    let stopClock: () => void;
    const wait = () => {
      const began = clock.now();
      stopClock = clock.after(slice, () => {
        most -= 1;
        if (clock.now() - began <= slice + LATE_MS) left -= 1;
        if (left > 0 && most > 0) wait();
        else setImmediate(expire);
      });
    };
    wait();
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
