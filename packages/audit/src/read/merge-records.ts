import type { AuditRecord } from '../record.js';
import type { NumberedRecord } from './log-sources.js';
import type { OnBroken } from './read-since.js';
import { TimeWatch } from './time-watch.js';

/** Is called for each fact that readers should know and that is not damage. */
export type OnNote = (message: string) => void;

type Source = AsyncGenerator<NumberedRecord>;

interface Head extends NumberedRecord {
  readonly source: Source;
}

/**
 * Merges the records of several writers by time, in memory for one record of each. The order within each writer stays, also
 * where its clock went back. Records of the same millisecond come in the order of their writers, so the result does not depend
 * on the order of the sources.
 *
 * A record that two sources have comes once. If they have different ones of the same number, all of them come. Listeners hear
 * that, what the sources lack, and where their clocks differ.
 */
export async function* mergeRecords(
  sources: readonly Source[],
  { onBroken, onNote }: { onBroken?: OnBroken | undefined; onNote?: OnNote | undefined },
): AsyncGenerator<AuditRecord> {
  const heads = new Heads();
  const advance = async (source: Source): Promise<void> => {
    const next = await source.next();
    if (!next.done) heads.add({ source, ...next.value });
  };
  const places = new Places(onBroken, onNote);
  const times = onNote && new TimeWatch();
  try {
    for (const source of sources) await advance(source);
    for (let same = heads.take(); same; same = heads.take()) {
      for (const record of places.versionsOf(same)) {
        times?.see(record);
        yield record;
      }
      for (const { source } of same) await advance(source);
    }
  } finally {
    for (const source of sources) await source.return(undefined);
    places.tellCounts();
    for (const fact of times?.facts() ?? []) onNote!(fact);
  }
}

/** How far each writer has been read, and where the sources agree about it. */
class Places {
  readonly #last = new Map<string, number>();
  readonly #repeated = new Map<string, number>();
  readonly #different = new Map<string, number>();

  constructor(
    private readonly onBroken: OnBroken | undefined,
    private readonly onNote: OnNote | undefined,
  ) {}

  /** @param same what the sources have as the record with one number. @returns it once, or each version of it */
  versionsOf(same: readonly Head[]): readonly AuditRecord[] {
    const [{ record, number }] = same as [Head];
    const { writer } = record;
    const last = this.#last.get(writer);
    if (last === undefined && number > 1)
      this.onNote?.(
        `writer ${writer} begins with its record ${number}: what it wrote before is not in these logs`,
      );
    // Somebody has moved it, so it was not compared with what other logs have there. It is shown, because hiding is worse.
    if (last !== undefined && number <= last)
      this.onBroken?.(`record ${number} of writer ${writer} comes after its record ${last}`);
    this.#last.set(writer, Math.max(number, last ?? 0));
    if (same.length === 1) return [record];
    const versions = new Map(same.map((head) => [JSON.stringify(head.record), head.record]));
    if (versions.size < same.length) count(this.#repeated, writer);
    if (versions.size === 1) return [record];
    if (count(this.#different, writer) === 1) this.onBroken?.(differentRecords(number, writer));
    return [...versions].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, version]) => version);
  }

  tellCounts(): void {
    for (const [writer, number] of this.#different)
      if (number > 1)
        this.onBroken?.(`logs have different records with ${number} numbers of writer ${writer}`);
    for (const [writer, number] of this.#repeated)
      this.onNote?.(`${number} record(s) of writer ${writer} are in several of these logs, and count once`);
  }
}

export const differentRecords = (number: number, writer: string): string =>
  `two logs have different records with the number ${number} of writer ${writer}`;

function count(counts: Map<string, number>, key: string): number {
  const now = (counts.get(key) ?? 0) + 1;
  counts.set(key, now);
  return now;
}

/** The next record of each source. Those of one writer come in the order of their numbers, and the writers by time. */
class Heads {
  readonly #ofWriters = new Map<string, Head[]>();
  /** A heap, the first in the order of time on top. Of each writer it has the head with the lowest number, and older ones. */
  readonly #heap: Head[] = [];

  add(head: Head): void {
    const { writer } = head.record;
    const others = this.#ofWriters.get(writer);
    if (others) others.push(head);
    else this.#ofWriters.set(writer, [head]);
    if (!others?.some(({ number }) => number < head.number)) this.#push(head);
  }

  /** Those of one writer that have the same number. */
  take(): Head[] | undefined {
    for (let top = this.#pop(); top; top = this.#pop()) {
      const { record, number } = top;
      const all = this.#ofWriters.get(record.writer) ?? [];
      // Another source had a lower number, or it was taken together with another one.
      if (!all.includes(top) || all.some((other) => other.number < number)) continue;
      const others = all.filter((other) => other.number !== number);
      if (others.length === 0) this.#ofWriters.delete(record.writer);
      else {
        this.#ofWriters.set(record.writer, others);
        const lowest = Math.min(...others.map((other) => other.number));
        for (const other of others) if (other.number === lowest) this.#push(other);
      }
      return all.filter((other) => other.number === number);
    }
    return undefined;
  }

  #push(head: Head): void {
    const heap = this.#heap;
    let at = heap.push(head) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(head, heap[above]!); above = (at - 1) >> 1) {
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = head;
  }

  #pop(): Head | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}

function isBefore({ record: one }: Head, { record: other }: Head): boolean {
  return one.time !== other.time ? one.time < other.time : one.writer < other.writer;
}
