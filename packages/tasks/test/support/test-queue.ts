import { setTimeout as delay } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { systemClock } from '@toolwright/core/ports';
import type { QueuedTask, TaskQueue } from '@toolwright/queue';
import { openDatabase } from '@toolwright/postgres/database';
import { testPorts } from '../../../postgres/test/support/test-ports.js';
import { bossDatabase } from '../../src/engine/boss-database.js';
import { postgresTasks, type PostgresTasksOptions } from '../../src/index.js';

type Sql = (text: string, values?: unknown[]) => Promise<Record<string, any>[]>;

/** A database that tests share. */
export interface TestDatabase {
  readonly options: Pick<PostgresTasksOptions, 'url' | 'pglite'>;
  sql: Sql;
}

export const ofPglite = (pglite: PGlite): TestDatabase => ({
  options: { pglite },
  sql: async (text, values) => (await pglite.query(text, values)).rows as Record<string, any>[],
});

let schemas = 0;

/** A queue with tables of its own, and other processes' view of it. */
export class TestQueue {
  readonly schema: string;
  readonly opened: TaskQueue[] = [];

  constructor(
    readonly database: TestDatabase,
    private readonly options: Partial<PostgresTasksOptions> = {},
    readonly ports = testPorts(),
  ) {
    this.schema = options.schema ?? `tasks_${(schemas += 1)}`;
  }

  /** One more process. */
  async open(): Promise<TaskQueue> {
    const queue = postgresTasks({
      ...this.database.options,
      schema: this.schema,
      timeout: 60_000,
      ...this.options,
    });
    await queue.open!(this.ports);
    this.opened.push(queue);
    return queue;
  }

  async close(): Promise<void> {
    for (const queue of this.opened) await queue.close!();
  }

  /** The same, and the next queue with this schema finds empty tables. To make them takes longer than most tests. */
  async leaveTables(): Promise<void> {
    await this.close();
    const own = ['tasks', 'task_work', 'task_steps', 'task_actions', 'schedules'];
    const ofEngine = ['job', 'job_dependency', 'schedule', 'subscription', 'warning'];
    const tables = [
      ...own.map((name) => `${this.schema}.${name}`),
      ...ofEngine.map((name) => `${this.schema}_jobs.${name}`),
    ];
    await this.database.sql(`TRUNCATE ${tables.join(', ')} CASCADE`);
  }

  pause = () => delay(10);

  /** The clock of a database cannot be set, but the times that it keeps can. */
  async elapse(ms: number): Promise<void> {
    const by = `interval '${ms} milliseconds'`;
    await this.database.sql(`UPDATE ${this.schema}.tasks SET expires_at = expires_at - ${by}`);
    await this.database.sql(`UPDATE ${this.schema}_jobs.job SET start_after = start_after - ${by}`);
    await this.database.sql(`UPDATE ${this.schema}.task_work SET served_at = served_at - ${by}`);
    await delay(5);
  }

  /** Nobody has heard of the run for long, and pg-boss looks for such runs now. */
  async loseRun(taskId: string): Promise<void> {
    const { sql } = this.database;
    const { PgBoss } = await import('pg-boss');
    const database = await openDatabase({ ...this.database.options, clock: systemClock, timeout: 120_000 });
    const boss = new PgBoss({ db: bossDatabase(database), schema: `${this.schema}_jobs` });
    const begun = `state = 'active' AND data->>'taskId' = $1`;
    const [run] = await sql(`SELECT retry_count FROM ${this.schema}_jobs.job WHERE ${begun}`, [taskId]);
    // A process may say in between that it is at work.
    for (let left = [run]; run && left.length > 0;) {
      const held = `${begun} AND retry_count = ${run['retry_count']}`;
      await sql(
        `UPDATE ${this.schema}_jobs.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE ${held}`,
        [taskId],
      );
      await sql(`UPDATE ${this.schema}_jobs.queue SET monitor_claim_on = NULL, monitor_on = NULL`);
      await boss.supervise('runs');
      left = await sql(`SELECT retry_count FROM ${this.schema}_jobs.job WHERE ${held}`, [taskId]);
    }
    await database.close();
  }
}

/** A task as a server puts it on the queue. */
export const queuedTask = (id: string, rest: Partial<QueuedTask> = {}): QueuedTask => ({
  id,
  owner: 'ann',
  ttlMs: 600_000,
  pollIntervalMs: 100,
  tool: 'work',
  ...rest,
});
