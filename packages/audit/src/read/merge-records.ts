import type { AuditRecord } from '../record.js';
import type { OnBroken } from './read-since.js';
import { TimeWatch } from './time-watch.js';

/** Is called for each fact that readers should know and that is not damage. */
export type OnNote = (message: string) => void;

interface Head {
  readonly record: AuditRecord;
  readonly source: AsyncGenerator<AuditRecord>;
}

/**
 * Merges the records of several writers by time, in memory for one record of each. The order within each writer stays, also
 * where its clock went back. Records of the same millisecond come in the order of their writers, so the result does not depend
 * on the order of the sources.
 *
 * A record that two sources have comes once. Listeners hear what the sources lack, and where their clocks differ.
 */
export async function* mergeRecords(
  sources: readonly AsyncGenerator<AuditRecord>[],
  { onBroken, onNote }: { onBroken?: OnBroken | undefined; onNote?: OnNote | undefined },
): AsyncGenerator<AuditRecord> {
  const heads = new Heads();
  const advance = async (source: AsyncGenerator<AuditRecord>): Promise<void> => {
    const next = await source.next();
    if (!next.done) heads.add({ source, record: next.value });
  };
  const places = new Places(onBroken, onNote);
  const times = onNote && new TimeWatch();
  try {
    for (const source of sources) await advance(source);
    for (let head = heads.take(); head; head = heads.take()) {
      const { record, source } = head;
      if (places.isNew(record)) {
        times?.see(record);
        yield record;
      }
      await advance(source);
    }
  } finally {
    for (const source of sources) await source.return(undefined);
    places.tellRepeated();
    for (const fact of times?.facts() ?? []) onNote!(fact);
  }
}

/** How far each writer has been read. */
class Places {
  readonly #last = new Map<string, { seq: number; id: string }>();
  readonly #repeated = new Map<string, number>();

  constructor(
    private readonly onBroken: OnBroken | undefined,
    private readonly onNote: OnNote | undefined,
  ) {}

  /** False for a record that another source had. */
  isNew({ writer, seq, id }: AuditRecord): boolean {
    const last = this.#last.get(writer);
    if (last && seq <= last.seq) {
      if (seq === last.seq && id !== last.id)
        this.onBroken?.(`two logs have different records with the number ${seq} of writer ${writer}`);
      this.#repeated.set(writer, (this.#repeated.get(writer) ?? 0) + 1);
      return false;
    }
    if (!last && seq > 1)
      this.onNote?.(
        `writer ${writer} begins with its record ${seq}: what it wrote before is not in these logs`,
      );
    this.#last.set(writer, { seq, id });
    return true;
  }

  tellRepeated(): void {
    for (const [writer, count] of this.#repeated)
      this.onNote?.(`${count} record(s) of writer ${writer} are in several of these logs, and count once`);
  }
}

/** A heap of the next record of each source, the first in the order on top. */
class Heads {
  readonly #heap: Head[] = [];

  add(head: Head): void {
    const heap = this.#heap;
    let at = heap.push(head) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(head, heap[above]!); above = (at - 1) >> 1) {
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = head;
  }

  take(): Head | undefined {
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
  if (one.time !== other.time) return one.time < other.time;
  if (one.writer !== other.writer) return one.writer < other.writer;
  return one.seq < other.seq;
}
