import { isObject } from '@toolwright/json';
import { type Clock, monotonic } from '../../ports/clock-and-ids.js';

/**
 * How many notifications of one call may be sent per second. Faster reports are merged into the newest one.
 */
const perSecond = 10;
const WINDOW_MS = 1_000;

/** The key of `_meta` in progress notifications that has a part of the result. */
export const PARTIAL = 'toolwright/partial';

export interface ProgressReport {
  progress: number;
  total?: number;
  message?: string;
  /** A part of the result, as JSON. */
  part?: unknown;
}

/**
 * Sends progress at a limited rate, with values that always grow (basic/patterns/progress). A tool that
 * reports each of a million rows must not fill the memory with what a client has not read: while it is behind, all
 * reports become one. Parts of the result are joined, so that none is lost.
 */
export class ProgressReporter {
  #last = Number.NEGATIVE_INFINITY;
  #windowStart = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #held: ProgressReport | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly send: (progress: ProgressReport) => void,
    /** True while the client has not taken what was sent before. */
    private readonly isBehind: () => boolean,
  ) {}

  report(progress: ProgressReport): void {
    if (!(progress.progress > this.#last) || !Number.isFinite(progress.progress)) return;
    this.#last = progress.progress;
    const now = monotonic(this.clock);
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#sent = 0;
    }
    if (this.#sent < perSecond && !this.#held && !this.isBehind()) return this.#deliver(progress);
    const part = joinParts(this.#held?.part, progress.part);
    this.#held = { ...progress, ...(part !== undefined && { part }) };
    this.#cancelTimer ??= this.clock.after(this.#windowStart + WINDOW_MS - now, () => this.#nextWindow());
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
    this.#windowStart = monotonic(this.clock);
    this.#sent = 0;
    if (this.#held && this.isBehind())
      return void (this.#cancelTimer = this.clock.after(WINDOW_MS, () => this.#nextWindow()));
    if (this.#held) this.#deliver(this.#held);
    this.#held = undefined;
  }

  #deliver(progress: ProgressReport): void {
    this.#sent++;
    this.send(progress);
  }
}

/** More items of a list, or more properties of an object. */
function joinParts(earlier: unknown, later: unknown): unknown {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  if (Array.isArray(earlier) && Array.isArray(later))
    return [...(earlier as unknown[]), ...(later as unknown[])];
  return isObject(earlier) && isObject(later) ? { ...earlier, ...later } : later;
}
