import type { Clock } from '../../ports/clock.js';

interface Bound {
  clock: Clock;
  ms: number;
  /** What the promise is rejected with when the time is over. */
  tooLate(): Error;
}

/** The outcome of `work`, or `tooLate` after `ms`. What becomes of `work` then is not looked at any more. */
export function within<T>(work: Promise<T>, { clock, ms, tooLate }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopClock = clock.after(ms, () => reject(tooLate()));
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
