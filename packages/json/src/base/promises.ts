/**
 * What a promise gives, unless a signal is aborted first.
 *
 * @throws the reason of the signal
 */
export async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop!: () => void;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Whether work ends in time. What is late goes on, and nobody waits for it. */
export async function endsWithin(
  ms: number,
  clock: { after(delayMs: number, run: () => void): () => void },
  work: Promise<unknown>,
): Promise<boolean> {
  let stopClock = () => {};
  const late = new Promise<boolean>((resolve) => (stopClock = clock.after(ms, () => resolve(false))));
  return Promise.race([work.then(() => true), late]).finally(stopClock);
}
