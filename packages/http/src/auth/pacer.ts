import type { Clock } from '@toolwright/core';

/** Lets a few pass at once, and then one at a time: for what strangers can cause and others have to bear. */
export class Pacer {
  /** When the next would be due if all had come evenly. */
  #due = Number.NEGATIVE_INFINITY;

  /**
   * @param everyMs milliseconds between two that pass, in the long run
   * @param burst how many may pass without waiting, after a rest
   */
  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly burst: number,
  ) {}

  /** Resolves when one more may pass. To be called by one at a time. */
  async turn(): Promise<void> {
    const now = this.clock.now();
    const earliest = now - this.burst * this.everyMs;
    // A clock that was put back must not make anybody wait until it has caught up.
    this.#due = Math.min(Math.max(this.#due, earliest), now) + this.everyMs;
    const delay = this.#due - now;
    if (delay > 0) await new Promise<void>((resolve) => this.clock.after(delay, resolve));
  }
}
