import { endsWithin } from '@toolwright/json';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, type Logger, monotonic } from '@toolwright/core/ports';
import type { QueueWorker, WorkOutcome } from '@toolwright/queue';
import {
  isAway,
  type PreparedDatabase,
  type Query,
  type StatementThread,
} from '@toolwright/postgres/database';
import { type HandedOut, type JobEngine, keyOf } from '../engine/job-engine.js';
import { UNREADABLE } from '../records/task-row.js';
import type { TaskClaims, Turn } from '../records/task-claims.js';
import type { TakenRuns, TaskRuns } from '../records/task-runs.js';
import { HeldRun } from './held-run.js';
import { RunOutcomes } from './run-outcomes.js';
import { Ticker } from './ticker.js';
import { type Touch, Touches, TOUCH_MS } from './touches.js';
import { Trouble } from './trouble.js';

/** How often this process looks for work that nobody has announced: what was lost, and what had to wait. */
const POLL_MS = 1_000;
/** How often it asks whether the tasks that it works on go on. A cancellation is usually announced earlier. */
const WATCH_MS = 500;
/**
 * How often it tells what it serves, and looks for work that nobody has served for too long.
 */
const SERVE_MS = 2_000;
/** How long to wait before an outcome is stored again. */
const STORE_MS = 500;

export interface WorkLoopSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: PreparedDatabase;
  readonly runs: TaskRuns;
  readonly claims: TaskClaims;
  readonly engine: () => JobEngine;
  /** The name of this process, for operators. */
  readonly name: string;
  /** Says that this process is at work, also while its event loop is blocked. Without it, the loop itself says so. */
  readonly thread: StatementThread | undefined;
}

/** Takes work for one worker, as much as it has room for, and stores how it ends. */
export class WorkLoop {
  readonly #held = new Set<HeldRun>();
  readonly #outcomes: RunOutcomes;
  readonly #query: Query;
  readonly #tickers: Ticker[];
  /** Work is taken in the context of the boot, and not in that of the request that has announced it. */
  readonly #atBoot = AsyncLocalStorage.snapshot();
  readonly #trouble: Trouble;
  readonly #touches: Touches;
  /** Runs that may have ended. */
  readonly #doubted = new Set<HeldRun>();
  #isChecking = false;
  /** Which owner had the last turn. */
  #turn: Turn;
  /** A task that may be what ends processes. It begins when nothing else runs here. */
  #suspect: HandedOut | undefined;
  /** The task that runs alone. */
  #alone: HeldRun | undefined;
  /** The last thing that was taken was a suspect. Then something else has its turn first. */
  #hadSuspect = false;
  #taking: Promise<void> | undefined;
  /** After a failure, jobs are taken one by one, as many as there were: one of them may be what failed. */
  #oneByOne = 0;
  #hasMore = false;
  #isStopped = false;

  constructor(
    private readonly worker: QueueWorker,
    private readonly settings: WorkLoopSettings,
  ) {
    const { clock, database, runs, engine } = settings;
    this.#outcomes = new RunOutcomes(runs, engine);
    this.#query = (text, values) => database.query(text, values);
    this.#trouble = new Trouble(settings.logger);
    this.#touches = new Touches(settings, {
      of: () => this.#touched(),
      heard: (touch) => this.#heard(touch),
    });
    this.#tickers = [
      new Ticker(clock, POLL_MS, async () => this.wake()),
      new Ticker(clock, WATCH_MS, () => this.#trouble.of('The tasks at work', () => this.#watch())),
      new Ticker(clock, TOUCH_MS, () => this.#trouble.of('The signs of life', () => this.#touches.renew())),
      new Ticker(clock, SERVE_MS, () => this.#trouble.of('Work that nobody serves', () => this.#serve())),
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

  /** Somebody says that the task of this job has ended. The table knows whether that is true. */
  checkRun(jobId: string): void {
    for (const run of this.#held) if (run.taken.jobId === jobId) this.#doubted.add(run);
    if (!this.#isChecking) void this.#checkDoubted();
  }

  /** @returns false when some runs were given back */
  async drain(graceMs: number): Promise<boolean> {
    this.#isStopped = true;
    await this.#taking;
    const runs = Promise.all([...this.#held].map(({ over }) => over));
    const isDone = await endsWithin(graceMs, this.settings.clock, runs);
    if (!isDone) await Promise.all([...this.#held].map((run) => this.#giveBack(run)));
    this.close();
    return isDone;
  }

  close(): void {
    this.#isStopped = true;
    for (const ticker of this.#tickers) ticker.stop();
    for (const run of this.#held) run.stop();
    this.#touches.stop();
  }

  async #takeAll(): Promise<void> {
    while (this.#hasMore && !this.#isStopped) {
      this.#hasMore = false;
      // After a failure the next poll tries again.
      if (await this.#trouble.of('The work of tasks', () => this.#takeSome())) this.#hasMore = true;
    }
    this.#taking = undefined;
  }

  /** False while this process cannot take work, for another reason than an outage. */
  get isWell(): boolean {
    return this.#trouble.isOver;
  }

  /** @returns whether there may be more */
  async #takeSome(): Promise<boolean> {
    if (this.#alone) return false;
    if (this.#suspect) return this.#takeSuspect(this.#suspect);
    const free = this.worker.concurrency - this.#held.size;
    if (free <= 0) return false;
    const served = this.worker.serves?.();
    const most = this.#oneByOne > 0 ? 1 : free;
    const { claims } = this.settings;
    let suspect: HandedOut | undefined;
    let turn = this.#turn;
    const offered = await this.#take(async (query) => {
      suspect = this.#hadSuspect ? undefined : await claims.suspect(query, served);
      if (suspect) return [];
      const { runs, after } = await claims.next(query, served, { most, after: turn });
      turn = after;
      return runs;
    });
    this.#suspect = suspect;
    if (suspect) this.#touches.tell();
    // The run of it that this process may still have is lost.
    for (const run of this.#held) if (run.taken.jobId === suspect?.jobId) run.stop();
    this.#turn = turn;
    const mayBeSuspect = this.#hadSuspect;
    this.#hadSuspect = false;
    return suspect !== undefined || mayBeSuspect || offered === most;
  }

  /** Begins the suspect, if nothing else runs here. */
  async #takeSuspect(suspect: HandedOut): Promise<boolean> {
    // A run that was lost and does not end must not keep the process for ever.
    if ([...this.#held].some(({ signal }) => !signal.aborted)) return false;
    // If it cannot be taken, it counts as lost when nobody has heard of it for a while.
    this.#suspect = undefined;
    this.#hadSuspect = true;
    await this.#take(() => Promise.resolve([suspect]), { isAlone: true });
    return true;
  }

  /** @returns how many runs were offered; some of them may have been withdrawn */
  async #take(
    claim: (query: Query) => Promise<readonly HandedOut[]>,
    { isAlone = false, isUnserved = false } = {},
  ): Promise<number> {
    const { database, runs, engine, name, clock } = this.settings;
    const heardAt = monotonic(clock);
    let offered: readonly HandedOut[] = [];
    try {
      const { taken, unreadable } = await database.transaction(async (query): Promise<TakenRuns> => {
        offered = await claim(query);
        if (offered.length === 0) return { taken: [], unreadable: [] };
        const begun = await runs.take(query, offered, { worker: name, isAlone });
        for (const run of begun.unreadable) await runs.end(query, run, { ending: UNREADABLE, isDead: true });
        const isTaken = new Set(begun.taken.map(({ jobId }) => jobId));
        const others = offered.filter(({ jobId }) => !isTaken.has(jobId));
        await engine().finish(query, others);
        return begun;
      });
      this.#oneByOne = Math.max(0, this.#oneByOne - 1);
      const begun = taken.map(
        (each) => new HeldRun(each, { heardAt, isUnserved }, { runs, query: this.#query }),
      );
      if (isAlone) this.#alone = begun[0];
      this.#begin(begun);
      for (const run of unreadable) this.#tellUnreadable(run);
    } catch (error) {
      if (!isAway(error)) await this.#setAside(offered, error);
      throw error;
    }
    return offered.length;
  }

  /** One job that cannot be taken must not stop the others: it waits, and they go on. */
  async #setAside(offered: readonly HandedOut[], error: unknown): Promise<void> {
    this.#oneByOne = offered.length > 1 ? offered.length : Math.max(0, this.#oneByOne - 1);
    if (offered.length !== 1) return;
    const [{ jobId, taskId }] = offered as [HandedOut];
    const { engine, logger } = this.settings;
    logger.error({ jobId, taskId, reason: (error as Error).message }, 'A job of the queue cannot be taken');
    await engine()
      .setAside(jobId)
      .catch(() => {});
  }

  #tellUnreadable({ taskId, reason }: TakenRuns['unreadable'][number]): void {
    this.settings.logger.error(
      { taskId, reason },
      'The record of a task cannot be read. The task was given up',
    );
    this.worker.changed(taskId);
  }

  /** Tells what this process serves, and ends what no process has served for too long. */
  async #serve(): Promise<void> {
    const served = this.worker.serves?.();
    if (!served || this.#isStopped) return;
    const { database, claims } = this.settings;
    await database.transaction((query) => claims.serve(query, served));
    const free = this.worker.concurrency - this.#held.size;
    if (free <= 0 || this.#suspect || this.#alone) return;
    await this.#take((query) => claims.unserved(query, served, free), { isUnserved: true });
  }

  #begin(runs: readonly HeldRun[]): void {
    for (const run of runs) this.#held.add(run);
    // This comes before the work of any run, because that work may block the event loop at once.
    this.#touches.tell();
    for (const run of runs)
      run.over = this.#work(run).finally(() => {
        this.#held.delete(run);
        if (this.#alone === run) this.#alone = undefined;
        this.#touches.tell();
        this.worker.changed(run.taskId);
        this.wake();
      });
  }

  async #work(run: HeldRun): Promise<void> {
    const outcome = await this.#outcomeOf(run);
    while (!run.signal.aborted) {
      try {
        return await this.#store(run, outcome);
      } catch (error) {
        if (!isAway(error)) return this.#refused(run, error);
        // The run is still held: nobody else begins it before it counts as lost.
        await new Promise<void>((resolve) => this.settings.clock.after(STORE_MS, resolve));
      }
    }
  }

  /** A worker that fails on one run must not end the process. */
  async #outcomeOf(run: HeldRun): Promise<WorkOutcome> {
    try {
      return await this.worker.run(run);
    } catch (error) {
      const { taskId } = run;
      this.settings.logger.error({ taskId, reason: (error as Error).message }, 'A run of a task has failed');
      return { is: 'ended', ending: UNREADABLE, isDead: true };
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
    const data = { reason: 'result_not_stored' };
    const ending = { status: 'failed', error: { code: -32603, message, data } } as const;
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
    this.#touches.tell();
    this.#touches.hear();
    this.#stopUnheard();
    await this.#stopLost([...this.#held]);
  }

  /** What is said about a run meanwhile is asked once more, and not more often. */
  async #checkDoubted(): Promise<void> {
    this.#isChecking = true;
    while (this.#doubted.size > 0) {
      const runs = [...this.#doubted];
      this.#doubted.clear();
      await this.#trouble.of('The tasks at work', () => this.#stopLost(runs));
    }
    this.#isChecking = false;
  }

  async #stopLost(runs: readonly HeldRun[]): Promise<void> {
    if (runs.length === 0) return;
    const taken = new Map(runs.map((run) => [run.taken, run]));
    for (const lost of await this.settings.runs.lost(this.#query, [...taken.keys()])) taken.get(lost)!.stop();
  }

  /** What this process is at work on, or is about to begin. */
  #touched(): HandedOut[] {
    const runs = [...this.#held].filter(({ signal }) => !signal.aborted).map(({ taken }) => taken);
    return this.#suspect && !this.#isStopped ? [...runs, this.#suspect] : runs;
  }

  /** Postgres has answered at which of the asked runs this process still is. */
  #heard({ asked, held, at }: Touch): void {
    const isLost = (run: HandedOut) => asked.has(keyOf(run)) && !held.has(keyOf(run));
    if (this.#suspect && isLost(this.#suspect)) this.#suspect = undefined;
    for (const run of this.#held) {
      if (held.has(keyOf(run.taken))) run.heardAt = Math.max(run.heardAt, at);
      else if (isLost(run.taken)) run.stop();
      if (run.signal.aborted) this.wake();
    }
  }

  /** While Postgres is away, this process cannot say that it works. After a while others take its runs over. */
  #stopUnheard(): void {
    const now = monotonic(this.settings.clock);
    for (const run of this.#held) {
      if (run.signal.aborted || run.heardAt > now - run.taken.lostAfter) continue;
      run.stop();
      this.settings.logger.warn({ taskId: run.taskId, lostAfterMs: run.taken.lostAfter }, UNHEARD);
    }
  }
}

const UNHEARD =
  'This process could not say for too long that it is at work on a task: the whole process stood still, or Postgres was ' +
  'away. Its run counts as lost. Another process may begin the next run, and a result of this one is not stored.';
