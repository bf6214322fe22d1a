import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Logger, QueueWorker, WorkOutcome } from '@toolwright/core';
import { PostgresError, type PreparedDatabase, type Query } from '@toolwright/postgres/database';
import type { JobEngine } from '../engine/job-engine.js';
import type { TaskRuns } from '../records/task-runs.js';
import { HeldRun } from './held-run.js';
import { RunOutcomes } from './run-outcomes.js';
import { Ticker } from './ticker.js';

/** How often this process looks for work that nobody has announced: what was lost, and what had to wait. */
const POLL_MS = 1_000;
/** How often it asks whether the tasks that it works on go on. A cancellation is usually announced earlier. */
const WATCH_MS = 500;
/** How often it says that it is at work. No run counts as lost in less than 10 seconds. */
const TOUCH_MS = 3_000;
/** How long to wait before an outcome is stored again. */
const STORE_MS = 500;

export interface WorkLoopSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: PreparedDatabase;
  readonly runs: TaskRuns;
  readonly engine: () => JobEngine;
  /** The name of this process, for operators. */
  readonly name: string;
}

/** Takes work for one worker, as much as it has room for, and stores how it ends. */
export class WorkLoop {
  readonly #held = new Set<HeldRun>();
  readonly #outcomes: RunOutcomes;
  readonly #query: Query;
  readonly #tickers: Ticker[];
  /** Work is taken in the context of the boot, and not in that of the request that has announced it. */
  readonly #atBoot = AsyncLocalStorage.snapshot();
  #taking: Promise<void> | undefined;
  #hasMore = false;
  #isStopped = false;

  constructor(
    private readonly worker: QueueWorker,
    private readonly settings: WorkLoopSettings,
  ) {
    const { clock, database, runs, engine } = settings;
    this.#outcomes = new RunOutcomes(runs, engine);
    this.#query = (text, values) => database.query(text, values);
    this.#tickers = [
      new Ticker(clock, POLL_MS, async () => this.wake()),
      new Ticker(clock, WATCH_MS, () => this.#watch()),
      new Ticker(clock, TOUCH_MS, () => this.#touch()),
    ];
    this.wake();
  }

  /** There may be work. */
  wake(): void {
    this.#hasMore = true;
    this.#taking ??= this.#atBoot(() => this.#takeAll());
  }

  /** The task of this job has ended, or its run belongs to somebody else. */
  stopRun(jobId: string): void {
    for (const run of this.#held) if (run.taken.jobId === jobId) run.stop();
  }

  /** @returns false when some runs were given back */
  async drain(graceMs: number): Promise<boolean> {
    this.#isStopped = true;
    await this.#taking;
    const isOver = Promise.all([...this.#held].map(({ over }) => over)).then(() => true);
    let stopClock = () => {};
    const late = new Promise<boolean>((resolve) => {
      stopClock = this.settings.clock.after(graceMs, () => resolve(false));
    });
    const isDone = await Promise.race([isOver, late]);
    stopClock();
    if (!isDone) await Promise.all([...this.#held].map((run) => this.#giveBack(run)));
    this.close();
    return isDone;
  }

  close(): void {
    this.#isStopped = true;
    for (const ticker of this.#tickers) ticker.stop();
    for (const run of this.#held) run.stop();
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#hasMore && !this.#isStopped) {
        this.#hasMore = false;
        if (await this.#takeSome()) this.#hasMore = true;
      }
    } catch {
      // Postgres is away, which is told elsewhere. The next poll tries again.
    } finally {
      this.#taking = undefined;
    }
  }

  /** @returns whether there may be more */
  async #takeSome(): Promise<boolean> {
    const free = this.worker.concurrency - this.#held.size;
    if (free <= 0) return false;
    const { database, runs, engine, name, clock } = this.settings;
    const at = clock.now();
    const { offered, taken } = await database.transaction(async (query) => {
      const offered = await engine().fetch(query, free);
      if (offered.length === 0) return { offered, taken: [] };
      const taken = await runs.take(query, offered, name);
      const isTaken = new Set(taken.map(({ jobId }) => jobId));
      await engine().finish(
        query,
        offered.filter(({ jobId }) => !isTaken.has(jobId)),
      );
      return { offered, taken };
    });
    for (const run of taken) this.#begin(new HeldRun(run, at, runs, this.#query));
    return offered.length === free;
  }

  #begin(run: HeldRun): void {
    this.#held.add(run);
    run.over = this.#work(run).finally(() => {
      this.#held.delete(run);
      this.worker.changed(run.taskId);
      this.wake();
    });
  }

  async #work(run: HeldRun): Promise<void> {
    const outcome = await this.worker.run(run);
    while (!run.signal.aborted) {
      try {
        return await this.#store(run, outcome);
      } catch (error) {
        if (isRefused(error)) return this.#refused(run, error);
        // The run is still held: nobody else begins it before it counts as lost.
        await new Promise<void>((resolve) => this.settings.clock.after(STORE_MS, resolve));
      }
    }
  }

  #store({ taken }: HeldRun, outcome: WorkOutcome): Promise<void> {
    return this.settings.database.transaction((query) => this.#outcomes.store(query, taken, outcome));
  }

  /** The same outcome would be refused again, and after a loss the work would only be done once more. */
  async #refused(run: HeldRun, error: unknown): Promise<void> {
    const { logger } = this.settings;
    logger.error({ reason: (error as Error).message }, 'Postgres refuses the outcome of a task');
    const message = 'The result of the task could not be stored.';
    const ending = { status: 'failed', error: { code: -32603, message } } as const;
    await this.#store(run, { is: 'ended', ending, isDead: true }).catch(() => {});
  }

  async #giveBack(run: HeldRun): Promise<void> {
    run.stop();
    const { database, logger } = this.settings;
    try {
      await database.transaction((query) => this.#outcomes.giveBack(query, run.taken));
    } catch (error) {
      // It counts as lost when nobody has heard of it for a while.
      logger.warn({ reason: (error as Error).message }, 'A run could not be given back');
    }
  }

  async #watch(): Promise<void> {
    const runs = [...this.#held];
    if (runs.length === 0) return;
    this.#stopUnheard();
    const taken = new Map(runs.map((run) => [run.taken, run]));
    for (const lost of await this.settings.runs.lost(this.#query, [...taken.keys()])) taken.get(lost)!.stop();
  }

  async #touch(): Promise<void> {
    const runs = [...this.#held].filter(({ signal }) => !signal.aborted);
    if (runs.length === 0) return;
    const at = this.settings.clock.now();
    const held = await this.settings.engine().touch(runs.map(({ taken }) => taken));
    for (const run of runs) {
      if (held.has(run.taken.jobId)) run.heardAt = at;
      // The run may have ended while the question was on its way.
      else if (this.#held.has(run)) run.stop();
    }
  }

  /** While Postgres is away, this process cannot say that it works. After a while others take its runs over. */
  #stopUnheard(): void {
    const now = this.settings.clock.now();
    for (const run of this.#held) if (run.heardAt <= now - run.taken.lostAfterMs) run.stop();
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof PostgresError && error.code === 'TW_POSTGRES_REFUSED';
}
