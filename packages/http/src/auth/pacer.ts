import type { Clock } from '@toolwright/core';

/**
 * Lets a few events pass at once, and then one at a time. It is for work that strangers can cause and others
 * must carry out.
 */
export class Pacer {
  /** When the next one would be due if all had come evenly. */
  #due = Number.NEGATIVE_INFINITY;

  /**
   * @param everyMs the milliseconds between two that pass, in the long run
   * @param burst how many may pass without waiting after a pause
   */
  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly burst: number,
  ) {}

  /** Resolves when one more may pass. Only one caller may wait at a time. */
  async turn(): Promise<void> {
    const now = this.clock.now();
    const earliest = now - this.burst * this.everyMs;
    // If the clock was put back, nobody must wait until it has caught up.
    this.#due = Math.min(Math.max(this.#due, earliest), now) + this.everyMs;
    const delay = this.#due - now;
    if (delay > 0) await new Promise<void>((resolve) => this.clock.after(delay, resolve));
  }
}
