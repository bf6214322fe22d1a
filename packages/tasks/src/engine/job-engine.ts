import type { Logger } from '@toolwright/core/ports';
import { type Database, PostgresError, type Query, type Row } from '@toolwright/postgres/database';
import type { PgBoss } from 'pg-boss';
import { bossDatabase, causeOf, inTransaction } from './boss-database.js';

/** The queue of pg-boss that hands out runs. */
export const QUEUE = 'runs';
/** pg-boss lets no job be at work for longer. */
export const LONGEST_RUN_S = 24 * 60 * 60;
/** How often one of the processes looks for runs that are lost. */
export const SUPERVISE_S = 5;
/** For how long a job waits that could not be taken. */
const SET_ASIDE_S = 60;
/** Jobs live as long as their tasks, which may be for good. The number has to fit an integer of Postgres. */
const YEARS_S = 50 * 365 * 24 * 60 * 60;

export interface JobEngineSettings {
  /** The schema of pg-boss. */
  readonly schema: string;
  readonly migrate: boolean;
  readonly isPglite: boolean;
}

/** A run that pg-boss has handed out, and to whom: after a loss, the same job has a higher number. */
export interface HandedOut {
  readonly jobId: string;
  readonly number: number;
  readonly taskId: string;
  /** A run counts as lost after this many milliseconds without a sign of life. */
  readonly lostAfter: number;
}

export interface NextRun {
  readonly taskId: string;
  readonly lostAfter: number;
  readonly afterMs?: number;
}

/**
 * Hands out runs, once each, and again when they are lost. A job says only which task it is about; everything else is
 * in the record.
 */
export class JobEngine {
  readonly #boss: PgBoss;
  readonly #setAside: string;
  /** Finds the jobs that could begin now. */
  readonly waitingJobs: string;
  readonly #touchText: string;

  private constructor(
    boss: PgBoss,
    private readonly database: Database,
    schema: string,
  ) {
    this.#boss = boss;
    this.#setAside = `UPDATE "${schema}".job SET start_after = now() + interval '${SET_ASIDE_S} seconds'
      WHERE name = '${QUEUE}' AND id = $1 AND state < 'active'`;
    this.waitingJobs = `SELECT id FROM "${schema}".job
      WHERE name = '${QUEUE}' AND state < 'active' AND start_after <= now()`;
    this.#touchText = touchText(schema);
  }

  /** Makes the tables where they are missing, and begins to look after lost runs. */
  static async start(database: Database, settings: JobEngineSettings, logger: Logger): Promise<JobEngine> {
    await checkStrings(database);
    // pg-boss is a module of the newer form, and wants a Node.js that older servers need not have.
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: bossDatabase(database),
      backend: settings.isPglite ? 'pglite' : 'postgres',
      schema: settings.schema,
      migrate: settings.migrate,
      createSchema: false,
      superviseIntervalSeconds: SUPERVISE_S,
      monitorIntervalSeconds: SUPERVISE_S,
      schedule: false,
    });
    const tell = (error: unknown) =>
      logger.warn({ reason: (error as Error).message }, 'The engine of the tasks has met an error');
    boss.on('error', tell);
    boss.on('warning', tell);
    const engine = new JobEngine(boss, database, settings.schema);
    try {
      await boss.start();
      await engine.#prepareQueue();
      return engine;
    } catch (error) {
      await engine.stop();
      throw causeOf(error);
    }
  }

  /** Hands out a run of the task, when the transaction is over. */
  async send(query: Query, jobId: string, { taskId, lostAfter, afterMs = 0 }: NextRun): Promise<void> {
    const options = {
      id: jobId,
      heartbeatSeconds: Math.ceil(lostAfter / 1_000),
      ...(afterMs > 0 && { startAfter: afterMs / 1_000 }),
    };
    await inTransaction(query, (db) => this.#boss.send(QUEUE, { taskId }, { ...options, db }));
  }

  /** Hands out the first runs of tasks, when the transaction is over. */
  async sendAll(query: Query, runs: readonly (NextRun & { jobId: string })[]): Promise<void> {
    const jobs = runs.map(({ jobId, taskId, lostAfter }) => ({
      id: jobId,
      data: { taskId },
      heartbeatSeconds: Math.ceil(lostAfter / 1_000),
    }));
    await inTransaction(query, (db) => this.#boss.insert(QUEUE, jobs, { db }));
  }

  /** Withdraws runs, when the transaction is over. */
  async drop(query: Query, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    await inTransaction(query, (db) => this.#boss.deleteJob(QUEUE, [...jobIds], { db }));
  }

  /** Withdraws runs that this process holds, when the transaction is over. Runs that are lost stay. */
  async finish(query: Query, runs: readonly HandedOut[]): Promise<void> {
    if (runs.length === 0) return;
    await inTransaction(query, (db) => this.#boss.deleteJob(QUEUE, runs.map(attemptOf), { db }));
  }

  /** Lets a job wait that nobody can take, so that it does not stop those behind it. */
  async setAside(jobId: string): Promise<void> {
    await this.database.query(this.#setAside, [jobId]);
  }

  /** Says that this process is still at work on the runs. @returns the runs that it still holds */
  async touch(runs: readonly HandedOut[]): Promise<Set<string>> {
    return heldKeys(await this.database.query(this.#touchText, heldValues(runs)));
  }

  /** Makes jobs stay until their tasks are over. */
  async #prepareQueue(): Promise<void> {
    if (await this.#boss.getQueue(QUEUE)) return;
    await this.#boss.createQueue(QUEUE, {
      expireInSeconds: LONGEST_RUN_S,
      retentionSeconds: YEARS_S,
      // The record knows how often a task was lost, and the core decides what follows.
      retryLimit: 1_000_000,
      retryDelay: 0,
    });
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }
}

/** Statements and functions of pg-boss have texts with a backslash. @throws {PostgresError} */
async function checkStrings(database: Database): Promise<void> {
  const [row] = await database.query(`SELECT current_setting('standard_conforming_strings') AS strings`);
  if (row?.['strings'] !== 'off') return;
  throw new PostgresError(
    'TW_POSTGRES_REFUSED',
    'The connections of the pool have standard_conforming_strings = off, and pg-boss needs "on". ' +
      'Run ALTER ROLE … SET standard_conforming_strings = on, or give the option "url" in place of "pool".',
  );
}

/** Tells the runs of a job apart. */
export const keyOf = ({ jobId, number }: Pick<HandedOut, 'jobId' | 'number'>): string => `${jobId} ${number}`;

/** Says that this process is still at work on runs, and gives the runs that it still holds. */
export const touchText = (schema: string): string => `UPDATE "${schema}".job SET heartbeat_on = now()
  FROM unnest($1::uuid[], $2::int[]) AS held (job_id, number)
  WHERE name = '${QUEUE}' AND id = job_id AND retry_count = number AND state = 'active' RETURNING id, number`;

/** The values of `touchText`. */
export const heldValues = (runs: readonly HandedOut[]): [jobs: string[], numbers: number[]] => [
  runs.map(({ jobId }) => jobId),
  runs.map(({ number }) => number),
];

export const heldKeys = (rows: readonly Row[]): Set<string> =>
  new Set(rows.map((row) => keyOf({ jobId: row['id'] as string, number: row['number'] as number })));

function attemptOf({ jobId, number }: HandedOut) {
  return { id: jobId, retryCount: number };
}
