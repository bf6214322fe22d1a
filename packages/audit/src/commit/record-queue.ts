import type { AuditEvent } from '@toolwright/core';
import type { Lines } from '../chain/batch.js';
import { LineSlabs, type Slab } from './line-slabs.js';

/** Somebody waits for the record. */
export interface StrictWait {
  readonly event: AuditEvent['event'];
  settle(error?: Error): void;
}

/** Records that lie one behind the other: many buffered ones, or a strict one. */
export interface Run extends Lines {
  readonly slab: Slab;
  readonly ends: number[];
  /** Gone once the caller has its answer: the record is then kept like a buffered one. */
  wait?: StrictWait;
}

/**
 * Records that wait for their group commit, in order: as bytes, since what events refer to may change in the meantime, and many
 * in one object. With text or objects of their own, hundreds of records survive each of V8's minor collections, which then
 * enlarges its nursery beyond the processor's caches: that slows down all that the process does.
 */
export class RecordQueue {
  private runs: Run[] = [];
  /** The last run, as long as lines may be added to it. */
  private open: Run | undefined;
  private count = 0;
  private readonly slabs = new LineSlabs();

  /** How many records wait. */
  get length(): number {
    return this.count;
  }

  /** @param line of a record after its `seq`, which only the commit can tell; newline included */
  add(line: string): void {
    const slab = this.slabs.slabFor(line);
    this.open = this.open?.slab === slab ? this.open : this.begin(slab);
    this.append(this.open, line);
  }

  addStrict(line: string): Run {
    const run = this.begin(this.slabs.slabFor(line));
    this.append(run, line);
    this.open = undefined;
    return run;
  }

  /** The first runs, until they have so many records. They stay until they are removed. */
  first(enough: number): Run[] {
    this.open = undefined;
    let records = 0;
    const last = this.runs.findIndex(({ ends }) => (records += ends.length) >= enough);
    return this.runs.slice(0, last < 0 ? undefined : last + 1);
  }

  /** Those whose callers wait. */
  waiting(): Run[] {
    return this.runs.filter(({ wait }) => wait);
  }

  remove(runs: readonly Run[]): void {
    const removed = new Set(runs);
    this.runs = this.runs.filter((run) => !removed.has(run));
    for (const { slab, ends } of runs) {
      this.count -= ends.length;
      this.slabs.release(slab);
    }
  }

  private begin(slab: Slab): Run {
    const run: Run = { slab, bytes: slab.bytes, start: slab.used, ends: [] };
    slab.runs++;
    this.runs.push(run);
    return run;
  }

  private append({ slab, ends }: Run, line: string): void {
    slab.used += slab.bytes.write(line, slab.used);
    ends.push(slab.used);
    this.count++;
  }
}
