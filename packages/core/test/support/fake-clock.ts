import type { Clock } from '@toolwright/ground/ports/clock-and-ids';

interface Timer {
  at: number;
  run: () => void;
}

/** Time that only passes when a test says so. */
export class FakeClock implements Clock {
  /** The monotonic clock: only `advance` and `leap` move it. */
  #now: number;
  /** How far the wall clock was set. */
  #setBy = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = 1_800_000_000_000) {
    this.#now = start;
  }

  /** The timers that wait. None may be left when all calls have ended. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Sets the wall clock forward by `ms` milliseconds, or back by a negative number. */
  set(ms: number): void {
    this.#setBy += ms;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets `ms` milliseconds pass without anybody noticing, as when the machine sleeps. */
  leap(ms: number): void {
    this.#now += ms;
  }

  /** Lets `ms` milliseconds pass. It runs what is due, in order, and then everything that follows from it. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const due = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#now = Math.max(this.#now, due.at);
      this.#timers.delete(due);
      due.run();
    }
    this.#now = until;
    await settled();
  }
}

/** Resolves when no promise can continue by itself. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
