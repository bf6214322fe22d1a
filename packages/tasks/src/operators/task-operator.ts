import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@toolwright/core';
import { optionRules } from '@toolwright/core/options';
import { parseConnection } from '@toolwright/postgres/database';
import { checkNodeVersion } from '../node-version.js';
import { OpenQueue } from '../open-queue.js';
import { taskDatabaseOptions, type TaskDatabaseOptions } from '../task-database.js';
import type { OperatedTask, TaskAction } from './operated-task.js';
import { OperatorRecords, type TaskFilter } from './operator-records.js';

export interface TaskOperatorOptions extends Omit<TaskDatabaseOptions, 'migrate'> {
  /** Who acts. It is stored with every action. */
  by: string;
}

const { migrate: _migrate, ...databaseOptions } = taskDatabaseOptions;
const operatorOptions = { ...databaseOptions, by: { ...optionRules.filledText, required: true as const } };

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Looks after the tasks of all owners. Every action is stored together with who did it. */
export class TaskOperator {
  readonly #records: OperatorRecords;

  private constructor(
    private readonly queue: OpenQueue,
    schema: string,
    private readonly by: string,
  ) {
    this.#records = new OperatorRecords(schema);
  }

  /**
   * Connects to the tables of `postgresTasks`.
   *
   * @throws {ConfigurationError} when an option is wrong, or Node.js is older than 22.12
   * @throws {PostgresError} when Postgres refuses, or has no such tables
   *
   * @example
   * const operator = await TaskOperator.open({ url: process.env.DATABASE_URL, by: 'ann' });
   */
  static async open(given: TaskOperatorOptions): Promise<TaskOperator> {
    checkNodeVersion();
    const { by, ...options } = parseConnection('TaskOperator', operatorOptions, given);
    const settings = {
      ...{ ...options, clock: systemClock, migrate: false, checkMs: 5_000 },
      ...{ lostAfterMs: 10_000, maxPerOwner: Infinity, max: Infinity },
    };
    const ports = { clock: systemClock, logger: silent };
    const queue = await OpenQueue.open(settings, ports, { onWork: () => {}, onStop: () => {} });
    const refusal = await queue.start();
    if (!refusal) return new TaskOperator(queue, options.schema, by);
    await queue.close();
    throw refusal;
  }

  /** Lists tasks, the latest first. */
  list(filter: TaskFilter = {}): Promise<OperatedTask[]> {
    return this.#records.list(this.queue.query, filter);
  }

  /** @returns `undefined` when there is no such task */
  show(id: string): Promise<OperatedTask | undefined> {
    return this.#records.show(this.queue.query, id);
  }

  /** Cancels a task, and stops its run within a second. @returns false when there is no such task, or it has ended */
  async cancel(id: string): Promise<boolean> {
    const { prepared, records, line } = this.queue;
    const ended = await prepared.transaction(async (query) => {
      const before = await records.end(query, id, { status: 'cancelled' });
      if (!before) return undefined;
      if (before.jobId) await this.queue.engine.drop(query, [before.jobId]);
      await this.#records.record(query, id, { by: this.by, action: 'cancel' });
      return before;
    });
    if (ended?.jobId) line.tellStop(ended.jobId);
    return ended !== undefined;
  }

  /**
   * Begins the work of a task that has ended again. The work gets a new task of the same owner, because clients never
   * see the final status of a task change. Steps (`once`) that have a result are not done again.
   *
   * @returns the id of the new task; `undefined` when there is no such task, it has not ended, or no queue has its work
   */
  async retry(id: string): Promise<string | undefined> {
    const next = { id: randomBytes(24).toString('base64url'), jobId: randomUUID() };
    const isBegun = await this.queue.prepared.transaction(async (query) => {
      if (!(await this.#records.begin(query, id, next))) return false;
      await this.queue.engine.send(query, next.jobId, { taskId: next.id, lostAfterMs: 10_000 });
      await this.#records.record(query, id, { by: this.by, action: 'retry', newTaskId: next.id });
      return true;
    });
    if (isBegun) this.queue.line.tellWork();
    return isBegun ? next.id : undefined;
  }

  /** What operators have done, the latest first. */
  actions(limit = 50): Promise<TaskAction[]> {
    return this.#records.actions(this.queue.query, limit);
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
