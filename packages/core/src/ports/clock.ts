/** The source of time. Tests pass their own clock instead of sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `run` once, after `delayMs`. The returned function cancels it. The timer must not keep the process
   * alive.
   */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, run) {
    const timer: { unref?(): void } = setTimeout(run, delayMs);
    // On some runtimes a timer is a number. None of them waits for timers at its end.
    timer.unref?.();
    return () => clearTimeout(timer as NodeJS.Timeout);
  },
};
