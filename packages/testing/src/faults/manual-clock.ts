import type { Clock } from '@toolwright/core';

/** A clock that stands still until a test moves it. It begins at 2026-07-28T00:00:00Z. */
export class ManualClock implements Clock {
  #now = Date.parse('2026-07-28T00:00:00Z');
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Lets `ms` milliseconds pass at once, and runs the timers that are due, in the order of their times. Timers
   * that these start wait for the next `advance`.
   */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}
