import type { AuditEvent } from '@toolwright/core/ports';
import { type Lines, RECORD_START, countOf } from '../chain/entries.js';

/** The caller that waits for a record. */
interface StrictWait {
  readonly event: AuditEvent['event'];
  settle(error?: Error): void;
}

/** Consecutive records: many buffered ones, or one strict record. */
export interface RecordRun extends Lines {
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
  private runs: RecordRun[] = [];
  /** The last run, while lines may be added to it. */
  private open: RecordRun | undefined;
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

  addStrict(line: string): RecordRun {
    const text = this.numbered(line);
    const run = this.begin(this.slabs.slabFor(text));
    this.append(run, text);
    this.open = undefined;
    return run;
  }

  /** Returns the first runs, up to this number of records. They stay in the queue until they are removed. */
  first(enough: number): RecordRun[] {
    this.open = undefined;
    let records = 0;
    const last = this.runs.findIndex(({ count }) => (records += count) >= enough);
    return this.runs.slice(0, last < 0 ? undefined : last + 1);
  }

  /** The records whose callers wait. */
  waiting(): RecordRun[] {
    return this.runs.filter(({ wait }) => wait);
  }

  /** Removes the first runs, which have been committed. */
  remove(runs: readonly RecordRun[]): void {
    const removed = new Set(runs);
    this.runs = this.runs.filter((run) => !removed.has(run));
    this.count -= countOf(runs);
    for (const { slab } of runs) this.slabs.release(slab);
  }

  /**
   * Removes records that will not be written after all. The records behind them get new numbers, because the
   * numbers of a log have no gaps.
   */
  withdraw(runs: readonly RecordRun[]): void {
    if (runs.length === 0) return;
    this.open = undefined;
    this.seq -= this.count;
    this.remove(runs);
    for (const run of this.runs) this.renumber(run);
  }

  private begin(slab: Slab): RecordRun {
    const run: RecordRun = { slab, bytes: slab.bytes, start: slab.used, end: slab.used, count: 0 };
    slab.runs++;
    this.runs.push(run);
    return run;
  }

  private numbered(line: string): string {
    return `${RECORD_START}${++this.seq}${line}`;
  }

  private append(run: RecordRun, text: string): void {
    const { slab } = run;
    slab.used += slab.bytes.write(text, slab.used);
    run.end = slab.used;
    run.count++;
    this.count++;
  }

  /** The number is changed in place, because a lower number is never longer. */
  private renumber(run: RecordRun): void {
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

const SLAB = 65_536;
/** How many unused slabs are kept: 1 MiB, the size of three group commits. */
const MAX_SPARE = 16;

/** A block of memory for lines. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** How many runs of lines in it are still used. */
  runs: number;
}

/**
 * Lends memory outside V8's heap, and takes it back. New memory for each use would survive minor collections,
 * and V8 counts it until a full collection. V8 would then run several full collections a second.
 */
class LineSlabs {
  private current = newSlab(SLAB);
  private readonly spare: Slab[] = [];

  /** Returns a slab with room for the text after its used part. */
  slabFor(text: string): Slab {
    // A UTF-16 unit takes at most three bytes.
    const most = text.length * 3;
    if (most > SLAB) return newSlab(most);
    if (this.current.used + most > SLAB) this.current = this.spare.pop() ?? newSlab(SLAB);
    return this.current;
  }

  /** Call this once for each run, when its bytes are no longer needed. */
  release(slab: Slab): void {
    if (--slab.runs > 0) return;
    slab.used = 0;
    const isWanted = slab !== this.current && slab.bytes.length === SLAB && this.spare.length < MAX_SPARE;
    if (isWanted) this.spare.push(slab);
  }
}

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, runs: 0 };
}

interface Waiter {
  ticket: number;
  resolve(): void;
  reject(error: Error): void;
}

/** The callers of `flush`. Each waits for the last record in the queue at the time of its call. */
export class FlushWaiters {
  private waiters: Waiter[] = [];

  wait(ticket: number): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.push({ ticket, resolve, reject }));
  }

  /** Call this when every record before the ticket is stored. */
  reached(ticket: number): void {
    const ready = this.waiters.filter((waiter) => waiter.ticket < ticket);
    this.waiters = this.waiters.filter((waiter) => waiter.ticket >= ticket);
    for (const { resolve } of ready) resolve();
  }

  /** Removes all current waiters. The returned function rejects their promises. */
  takeAll(): (error: Error) => void {
    const waiters = this.waiters.splice(0);
    return (error) => {
      for (const { reject } of waiters) reject(error);
    };
  }
}

/** Collects what one turn of the event loop brings, and passes all of it on at the end of that turn. */
export class TurnBuffer<T> {
  private items: T[] = [];

  constructor(private readonly use: (items: readonly T[]) => void) {}

  /** How many items wait for the end of the turn. */
  get length(): number {
    return this.items.length;
  }

  add(item: T): void {
    if (this.items.push(item) === 1) setImmediate(() => this.passOn());
  }

  /** Passes on at once what has come so far. */
  passOn(): void {
    if (this.items.length === 0) return;
    const { items } = this;
    this.items = [];
    this.use(items);
  }
}
