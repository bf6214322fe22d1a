import type { Clock } from '@toolwright/core';

/** A clock that only moves when a test says so. */
export class ManualClock implements Clock {
  private time = 1_785_225_600_000;
  private readonly due = new Map<() => void, number>();

  now(): number {
    return this.time;
  }

  after(delayMs: number, run: () => void): () => void {
    this.due.set(run, this.time + delayMs);
    return () => this.due.delete(run);
  }

  advance(ms: number): void {
    this.time += ms;
    const ready = [...this.due].filter(([, at]) => at <= this.time).sort(([, a], [, b]) => a - b);
    for (const [run] of ready) if (this.due.delete(run)) run();
  }
}
