import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AuditEvent,
  type AuditHealth,
  type AuditMode,
  type AuditSink,
  type Clock,
  type Logger,
} from '@toolwright/core/ports';
import { growingPause, reasonOf } from '@toolwright/json';
import { AuditError } from '../errors/audit-error.js';
import { RecordEncoder, type TakenEvent } from './encode-record.js';
import { FlushWaiters, RecordQueue, type RecordRun, TurnBuffer } from './record-queue.js';
import type { HmacKey } from '../hmac-key.js';
import { CHECKPOINT_MS, type LogWriter } from './log-writer.js';

/** How the sink balances memory, latency and disk operations. */
export interface CommitOptions {
  /** How many buffered records may wait. After that, callers have to wait, too. */
  maxQueued: number;
  /** How long a buffered record may wait for more records before its group commit begins, in milliseconds. */
  lingerMs: number;
  /** How long a strict write may take in milliseconds. After that the call is refused. */
  strictTimeoutMs: number;
}

export interface CommitEnvironment extends CommitOptions {
  /** The file of the log, as it was asked for. */
  file: string;
  /** The claims that records take. */
  claims?: readonly string[];
  key: HmacKey;
  /** How records name people. */
  subjects: 'plain' | 'digest';
  clock: Clock;
  logger: Logger;
  /** Runs after each commit, while no other commit runs: rotation, retention, shipping. */
  afterCommit(): Promise<void>;
  /** Resolves when the other sinks have all stored records, or do not accept any at the moment. */
  shipped(): Promise<unknown>;
  /** Runs once, after the sink was closed and the chain ended. */
  afterClose(): Promise<void>;
}

/**
 * How many records fill a batch. A run is never split, so a batch may have more. Hashing this many takes
 * about an eighth of a millisecond, and the rest of the process never waits longer for us. With twice as many, a record would
 * cost 15 % less at full speed; but only every second batch may have a checkpoint, so these would come after 2,048 records.
 */
const FULL_BATCH = 512;
const RETRY = { firstMs: 100, longestMs: 5_000 };

/**
 * Core's audit port over one chain. At the end of a turn of the event loop, its records are encoded, numbered
 * and put into the queue. Group commits seal and use the disk. There is one at a time, and it takes
 * everything that arrived during the one before.
 */
export class JsonlAuditSink implements AuditSink {
  private readonly queue: RecordQueue;
  /** The buffered records of this turn of the event loop. They come before everything that the queue gets next. */
  private readonly turn = new TurnBuffer<TakenEvent>((taken) => this.enqueue(taken));
  /** The ticket of the first record in the queue. Tickets count all records that were ever in the queue. */
  private firstTicket = 1;
  /** Somebody waits for the records up to this ticket, so they do not wait for more records. */
  private urgentTicket = 0;
  private readonly flushes = new FlushWaiters();
  private roomWaiters: (() => void)[] = [];
  private running: Promise<void> | undefined;
  /** The next look at the queue writes everything that is there, however little. */
  private overdue = false;
  private linger: NodeJS.Timeout | undefined;
  private cancelRetry: (() => void) | undefined;
  private cancelCheckpoint: (() => void) | undefined;
  private checkpointDue = false;
  private failures = 0;
  private failure: AuditError | undefined;
  /** A strict record was not on disk in time, and no commit has ended since. */
  private isStalled = false;
  /** When the log failed, or worked again. */
  private turnedAt: number;
  private closing: Promise<void> | undefined;
  private readonly encoder: RecordEncoder;
  /** A commit stores and ships records of many callers, so it runs in the context of none. */
  private readonly atBoot = AsyncLocalStorage.snapshot();

  constructor(
    private readonly writer: LogWriter,
    private readonly environment: CommitEnvironment,
  ) {
    this.queue = new RecordQueue(writer.chain.seq);
    this.encoder = new RecordEncoder(writer.chain.writer, environment);
    this.turnedAt = environment.clock.now();
  }

  get file(): string {
    return this.environment.file;
  }

  get claims(): readonly string[] | undefined {
    return this.environment.claims;
  }

  health(): AuditHealth {
    const up = !this.failure && !this.isStalled;
    return { up, since: this.turnedAt, queued: this.queue.length + this.turn.length };
  }

  write(event: AuditEvent, mode: AuditMode): void | Promise<void> {
    if (this.closing) return Promise.reject(new AuditError('TW_AUDIT_CLOSED', 'The audit log is closed.'));
    if (mode === 'strict') return this.writeStrict(event);
    this.turn.add(this.encoder.take(event));
    if (this.queue.length + this.turn.length > this.environment.maxQueued) return this.room();
  }

  private enqueue(taken: readonly TakenEvent[]): void {
    for (const each of taken) this.queue.add(this.encoder.encode(each));
    this.schedule();
  }

  /**
   * @throws AuditError `TW_AUDIT_UNAVAILABLE` if the disk fails; the records stay in the queue and are tried
   * again
   */
  async flush(): Promise<void> {
    await this.store();
    await this.environment.shipped();
  }

  private store(): Promise<void> {
    this.turn.passOn();
    if (this.queue.length === 0 && !this.failure) return this.running ?? Promise.resolve();
    this.urgentTicket = this.firstTicket + this.queue.length - 1;
    const flushed = this.flushes.wait(this.urgentTicket);
    this.startNow();
    return flushed;
  }

  /**
   * Stores the records in the queue and ends the chain. A second call waits for the first one.
   *
   * @throws AuditError `TW_AUDIT_UNAVAILABLE` that says how many records could not be stored
   */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private writeStrict(event: AuditEvent): Promise<void> {
    const refused = this.failure && event.event === 'intent';
    if (refused) return Promise.reject(this.failure);
    this.turn.passOn();
    const run = this.queue.addStrict(this.encoder.encode(this.encoder.take(event)));
    this.urgentTicket = this.firstTicket + this.queue.length - 1;
    return new Promise((resolve, reject) => {
      const late = () => {
        if (run.wait) this.stalled();
        run.wait?.settle(timeout());
      };
      const cancel = this.environment.clock.after(this.environment.strictTimeoutMs, late);
      const settle = (error?: Error) => {
        cancel();
        delete run.wait;
        if (error) reject(error);
        else resolve();
      };
      run.wait = { event: event.event, settle };
      if (this.failure) settle(this.failure);
      else this.start();
    });
  }

  private room(): Promise<void> {
    return new Promise((resolve) => this.roomWaiters.push(resolve));
  }

  /**
   * Waits for more records. If a commit is running, it looks at the queue at its end. If the disk has failed,
   * a retry is already set.
   */
  private schedule(): void {
    if (this.running || this.failure) return;
    if (this.isFull || this.isUrgent) this.start();
    else this.linger ??= setTimeout(() => this.startNow(), this.environment.lingerMs);
  }

  private start(): void {
    clearTimeout(this.linger);
    this.linger = undefined;
    this.running ??= this.atBoot(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.overdue) this.start();
      else if (this.queue.length > 0) this.schedule();
    });
  }

  /** Tries the disk at once, even if it has just failed or there is no record to write. */
  private startNow(): void {
    this.overdue = true;
    this.start();
  }

  private async run(): Promise<void> {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    try {
      while (this.overdue || this.isFull || this.isUrgent) {
        this.overdue = false;
        await this.commitBatch();
        await this.environment.afterCommit();
      }
    } catch (error) {
      await this.fail(error);
    }
    this.scheduleCheckpoint();
  }

  private get isFull(): boolean {
    return this.queue.length >= FULL_BATCH;
  }

  /** Whether somebody waits for a record in the queue. */
  private get isUrgent(): boolean {
    return this.queue.length > 0 && this.firstTicket <= this.urgentTicket;
  }

  private async commitBatch(): Promise<void> {
    const batch = this.queue.first(FULL_BATCH);
    if (batch.length > 0) await this.writer.commit(batch);
    // A checkpoint also shows, without a record, whether the disk works again.
    else if (this.checkpointDue || this.failure) await this.writer.checkpoint();
    this.checkpointDue = false;
    this.recovered();
    this.advance(batch);
  }

  private advance(done: readonly RecordRun[]): void {
    const queued = this.queue.length;
    this.queue.remove(done);
    this.firstTicket += queued - this.queue.length;
    for (const { wait } of done) wait?.settle();
    this.flushes.reached(this.firstTicket);
    if (this.queue.length <= this.environment.maxQueued)
      for (const resolve of this.roomWaiters.splice(0)) resolve();
  }

  /** The disk neither stores nor fails. This is logged once, as a failure is. */
  private stalled(): void {
    if (this.isStalled || this.failure) return;
    this.isStalled = true;
    this.turnedAt = this.environment.clock.now();
    this.environment.logger.error(
      { queued: this.queue.length, timeoutMs: this.environment.strictTimeoutMs },
      'The audit log does not store in time; strict calls are refused',
    );
  }

  private recovered(): void {
    if (this.failure || this.isStalled) {
      this.turnedAt = this.environment.clock.now();
      this.environment.logger.info({ queued: this.queue.length }, 'The audit log can be written again');
    }
    this.isStalled = false;
    this.failure = undefined;
    this.failures = 0;
  }

  /**
   * All strict callers are refused at once. The call of an intent then never runs, so the intent is removed.
   * Every other record reports something that happened, so it stays until the disk accepts it.
   */
  private async fail(cause: unknown): Promise<void> {
    const { clock, logger } = this.environment;
    const failure = new AuditError(
      'TW_AUDIT_UNAVAILABLE',
      `The audit log cannot be written: ${reasonOf(cause)}`,
      { cause },
    );
    if (!this.failure) {
      this.turnedAt = clock.now();
      logger.error(
        { reason: reasonOf(cause), file: this.file },
        'The audit log cannot be written; strict calls are refused',
      );
    }
    this.failure = failure;
    const waits = this.queue.waiting();
    this.queue.withdraw(waits.filter(({ wait }) => wait?.event === 'intent'));
    const refuseFlushes = this.flushes.takeAll();
    await this.writer.abandonFile();
    this.cancelRetry = clock.after(growingPause(this.failures++, RETRY), () => this.startNow());
    for (const { wait } of waits) wait?.settle(failure);
    refuseFlushes(failure);
  }

  private scheduleCheckpoint(): void {
    if (!this.writer.hasUncheckpointed || this.closing) return;
    this.cancelCheckpoint ??= this.environment.clock.after(CHECKPOINT_MS, () => {
      this.cancelCheckpoint = undefined;
      this.checkpointDue = this.writer.hasUncheckpointed;
      if (this.checkpointDue) this.startNow();
    });
  }

  private async end(): Promise<void> {
    this.cancelCheckpoint?.();
    this.turn.passOn();
    try {
      await this.running;
      if (this.queue.length > 0) await this.store();
      await this.running;
      await this.writer.close();
    } catch (error) {
      const lost = this.queue.length;
      await this.writer.release();
      const text = `The audit log could not be closed properly, ${lost} records are not stored: ${reasonOf(error)}`;
      throw new AuditError('TW_AUDIT_UNAVAILABLE', text, { cause: error });
    } finally {
      this.cancelRetry?.();
      for (const resolve of this.roomWaiters.splice(0)) resolve();
      await this.environment.afterClose();
    }
  }
}

function timeout(): AuditError {
  const text = 'The record was not on disk in time. Is the disk of the audit log overloaded?';
  return new AuditError('TW_AUDIT_TIMEOUT', text);
}
