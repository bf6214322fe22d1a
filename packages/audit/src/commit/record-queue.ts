import type { AuditEvent } from '@toolwright/core';
import { countOf, type Lines } from '../chain/batch.js';
import { RECORD_START } from '../chain/entries.js';
import { LineSlabs, type Slab } from './line-slabs.js';

/** The caller that waits for a record. */
export interface StrictWait {
  readonly event: AuditEvent['event'];
  settle(error?: Error): void;
}

/** Consecutive records: many buffered ones, or one strict record. */
export interface Run extends Lines {
  readonly slab: Slab;
  end: number;
  count: number;
  /** Removed when the caller has its answer. The record is then treated like a buffered one. */
  wait?: StrictWait;
}

/**
 * Records that wait for their group commit, in order. They are stored as bytes, because the objects in events
 * may change, and many share one object. As strings or as one object each, hundreds of records would survive
 * each minor collection of V8. V8 would then enlarge its nursery beyond the processor's caches, and the whole
 * process would become slower.
 */
export class RecordQueue {
  private runs: Run[] = [];
  /** The last run, while lines may be added to it. */
  private open: Run | undefined;
  private count = 0;
  private readonly slabs = new LineSlabs();

  /** @param seq of the last record before this queue */
  constructor(private seq: number) {}

  /** How many records wait. */
  get length(): number {
    return this.count;
  }

  /** @param line of a record after its `seq`, with the newline */
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

  /** Returns the first runs, up to this number of records. They stay in the queue until they are removed. */
  first(enough: number): Run[] {
    this.open = undefined;
    let records = 0;
    const last = this.runs.findIndex(({ count }) => (records += count) >= enough);
    return this.runs.slice(0, last < 0 ? undefined : last + 1);
  }

  /** The records whose callers wait. */
  waiting(): Run[] {
    return this.runs.filter(({ wait }) => wait);
  }

  /** Removes the first runs, which have been committed. */
  remove(runs: readonly Run[]): void {
    const removed = new Set(runs);
    this.runs = this.runs.filter((run) => !removed.has(run));
    this.count -= countOf(runs);
    for (const { slab } of runs) this.slabs.release(slab);
  }

  /**
   * Removes records that will not be written after all. The records behind them get new numbers, because the
   * numbers of a log have no gaps.
   */
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

  /** The number is changed in place, because a lower number is never longer. */
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
