import type { Clock } from '../../../ports/clock.js';

/** The least time between two notes of a task. */
const PAUSE_MS = 1_000;

/**
 * Writes at most one note a second. A newer note replaces one that waits: each of them is a write to a database,
 * and clients see only the last one.
 */
export class NoteThrottle {
  #readyAt = Number.NEGATIVE_INFINITY;
  #held: string | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'after'>,
    private readonly write: (note: string) => void,
  ) {}

  note(text: string): void {
    if (this.#isOver) return;
    const wait = this.#readyAt - this.clock.now();
    if (wait <= 0) return this.#write(text);
    this.#held = text;
    this.#cancelTimer ??= this.clock.after(wait, () => this.#writeHeld());
  }

  /** Drops what waits: what follows says more about the task. */
  end(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#held = undefined;
  }

  /** Writes what waits. */
  flush(): void {
    this.#cancelTimer?.();
    this.#writeHeld();
  }

  #writeHeld(): void {
    this.#cancelTimer = undefined;
    const text = this.#held;
    this.#held = undefined;
    if (text !== undefined) this.#write(text);
  }

  #write(text: string): void {
    this.#readyAt = this.clock.now() + PAUSE_MS;
    this.write(text);
  }
}
