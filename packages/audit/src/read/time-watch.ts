import { keepNewest } from '@toolwright/json';
import type { AuditRecord } from '../record.js';

/** How many calls are remembered, to compare the clocks of the writers that took part in them. */
const MOST_CALLS = 10_000;
/** Clocks that differ by less are usual, in milliseconds. */
const USUAL_MS = 5;

type Seen = Pick<AuditRecord, 'writer' | 'time'> & { readonly began: boolean };

/**
 * Finds out from merged records that clocks were wrong: a clock went back, or a call ended at one writer before it began at
 * another. It proves no order: clocks that differ leave no trace where no call went through both.
 */
export class TimeWatch {
  readonly #last = new Map<string, number>();
  readonly #back = new Map<string, number>();
  readonly #ahead = new Map<string, number>();
  readonly #calls = new Map<string, Seen>();

  /** @param record the next one, in the order of times */
  see({ writer, time, callId, event }: AuditRecord): void {
    const last = this.#last.get(writer) ?? -Infinity;
    if (last - time > USUAL_MS) keepLargest(this.#back, writer, last - time);
    this.#last.set(writer, Math.max(last, time));
    const began = event === 'intent';
    const other = this.#calls.get(callId);
    if (!other) return keepNewest(this.#calls, callId, { writer, time, began }, MOST_CALLS);
    if (began && !other.began && other.writer !== writer && time - other.time > USUAL_MS)
      keepLargest(
        this.#ahead,
        `${writer} is at least %s ms ahead of that of writer ${other.writer}`,
        time - other.time,
      );
  }

  facts(): string[] {
    return [
      ...[...this.#back].map(([writer, ms]) => `the clock of writer ${writer} went back by up to ${ms} ms`),
      ...[...this.#ahead].map(([text, ms]) => `the clock of writer ${text.replace('%s', String(ms))}`),
    ];
  }
}

function keepLargest(kept: Map<string, number>, key: string, value: number): void {
  kept.set(key, Math.max(kept.get(key) ?? 0, value));
}
