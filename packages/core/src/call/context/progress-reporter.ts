import type { Clock } from '../../ports/clock-and-ids.js';

/**
 * How many notifications of one call may be sent per second. Faster reports are merged into the newest one.
 */
const perSecond = 10;

interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Sends progress at a limited rate, with values that always grow (basic/patterns/progress). A tool that
 * reports each of a million rows must not fill the buffer of a client that reads slowly.
 */
export class ProgressReporter {
  #last = Number.NEGATIVE_INFINITY;
  #windowStart = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #held: Progress | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly send: (progress: Progress) => void,
  ) {}

  report(progress: Progress): void {
    if (!(progress.progress > this.#last) || !Number.isFinite(progress.progress)) return;
    this.#last = progress.progress;
    const now = this.clock.now();
    if (now - this.#windowStart >= 1_000) {
      this.#windowStart = now;
      this.#sent = 0;
    }
    if (this.#sent < perSecond && !this.#held) return this.#deliver(progress);
    this.#held = progress;
    this.#cancelTimer ??= this.clock.after(this.#windowStart + 1_000 - now, () => this.#nextWindow());
  }

  /** Sends the report that is held back. Nothing may be reported afterwards. */
  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#held) this.#deliver(this.#held);
    this.#held = undefined;
    this.#last = Number.POSITIVE_INFINITY;
  }

  #nextWindow(): void {
    this.#cancelTimer = undefined;
    this.#windowStart = this.clock.now();
    this.#sent = 0;
    if (this.#held) this.#deliver(this.#held);
    this.#held = undefined;
  }

  #deliver(progress: Progress): void {
    this.#sent++;
    this.send(progress);
  }
}
