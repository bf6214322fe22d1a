import type { Clock } from '@toolwright/core';

/** A clock that stands still until a suite lets time pass. From then on, every wait ends at once. */
export class StandingClock implements Clock {
  #now = Date.parse('2026-07-28T00:00:00Z');
  #passes = false;
  readonly #timers = new Set<{ delayMs: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { delayMs, run };
    this.#timers.add(timer);
    if (this.#passes) setImmediate(() => this.#end(timer));
    return () => void this.#timers.delete(timer);
  }

  letPass(): void {
    this.#passes = true;
    for (const timer of [...this.#timers]) this.#end(timer);
  }

  #end(timer: { delayMs: number; run: () => void }): void {
    if (!this.#timers.delete(timer)) return;
    this.#now += timer.delayMs;
    timer.run();
  }
}
