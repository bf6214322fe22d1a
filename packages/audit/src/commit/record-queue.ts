import type { AuditEvent } from '@toolwright/core';
import { countOf, type Lines } from '../chain/batch.js';
import { RECORD_START } from '../chain/entries.js';
import { LineSlabs, type Slab } from './line-slabs.js';

/** Somebody waits for the record. */
export interface StrictWait {
  readonly event: AuditEvent['event'];
  settle(error?: Error): void;
}

/** Records that lie one behind the other: many buffered ones, or a strict one. */
export interface Run extends Lines {
  readonly slab: Slab;
  end: number;
  count: number;
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

  /** @param seq of the last record before those of this queue */
  constructor(private seq: number) {}

  /** How many records wait. */
  get length(): number {
    return this.count;
  }

  /** @param line of a record after its `seq`; newline included */
  add(line: string): void {
    const text = this.numbered(line);
    const slab = this.slabs.slabFor(text);
    this.open = this.open?.slab === slab ? this.open : this.begin(slab);
    this.append(this.open, text);
  }

  addStrict(line: string): Run {
    const text = this.numbered(line);
    const run = this.begin(this.slabs.slabFor(text));
    this.append(run, text);
    this.open = undefined;
    return run;
  }

  /** The first runs, until they have so many records. They stay until they are removed. */
  first(enough: number): Run[] {
    this.open = undefined;
    let records = 0;
    const last = this.runs.findIndex(({ count }) => (records += count) >= enough);
    return this.runs.slice(0, last < 0 ? undefined : last + 1);
  }

  /** Those whose callers wait. */
  waiting(): Run[] {
    return this.runs.filter(({ wait }) => wait);
  }

  /** Takes out the first runs, which have been committed. */
  remove(runs: readonly Run[]): void {
    const removed = new Set(runs);
    this.runs = this.runs.filter((run) => !removed.has(run));
    this.count -= countOf(runs);
    for (const { slab } of runs) this.slabs.release(slab);
  }

  /** Takes out records that are not to be written after all. Those behind them move up: a log numbers without gaps. */
  withdraw(runs: readonly Run[]): void {
    if (runs.length === 0) return;
    this.open = undefined;
    this.seq -= this.count;
    this.remove(runs);
    for (const run of this.runs) this.renumber(run);
  }

  private begin(slab: Slab): Run {
    const run: Run = { slab, bytes: slab.bytes, start: slab.used, end: slab.used, count: 0 };
    slab.runs++;
    this.runs.push(run);
    return run;
  }

  private numbered(line: string): string {
    return `${RECORD_START}${++this.seq}${line}`;
  }

  private append(run: Run, text: string): void {
    const { slab } = run;
    slab.used += slab.bytes.write(text, slab.used);
    run.end = slab.used;
    run.count++;
    this.count++;
  }

  /** In place: a lower number takes no more room. */
  private renumber(run: Run): void {
    const { bytes, start, end } = run;
    run.end = start;
    for (let line = start; line < end;) {
      const next = bytes.indexOf(NEWLINE, line) + 1;
      const rest = bytes.indexOf(COMMA, line);
      run.end += bytes.write(`${RECORD_START}${++this.seq}`, run.end, 'latin1');
      run.end += bytes.copy(bytes, run.end, rest, next);
      line = next;
    }
  }
}

const NEWLINE = '\n'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
