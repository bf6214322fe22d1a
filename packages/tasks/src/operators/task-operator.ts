import { type DataOwner, systemClock, silentLogger } from '@toolwright/core/ports';
import { optionRules } from '@toolwright/core/options';
import { parseConnection } from '@toolwright/postgres/database';
import { checkNodeVersion } from '../node-version.js';
import { OpenQueue } from '../open-queue.js';
import { taskDatabaseOptions, type TaskDatabaseOptions } from '../task-database.js';
import type { KnownSchedule } from '../records/schedule-ticks.js';
import type { OperatedTask, TaskAction } from './operated-task.js';
import { OperatorTasks } from './operator-tasks.js';
import type { OwnedTask, TaskFilter } from './operator-records.js';

export interface TaskOperatorOptions extends Omit<TaskDatabaseOptions, 'migrate'> {
  /** Who acts. It is stored with every action. */
  by: string;
}

const { migrate: _migrate, ...databaseOptions } = taskDatabaseOptions;
const operatorOptions = { ...databaseOptions, by: { ...optionRules.filledText, required: true as const } };

/** Looks after the tasks of all owners. Every action is stored together with who did it. */
export class TaskOperator {
  readonly #desk: OperatorTasks;

  private constructor(
    private readonly queue: OpenQueue,
    place: { schema: string; by: string },
  ) {
    this.#desk = new OperatorTasks(() => queue, place);
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
      ...options,
      clock: systemClock,
      migrate: false,
      checkInterval: 5_000,
      lostAfter: 10_000,
      maxPerOwner: Infinity,
      max: Infinity,
    };
    const ports = { clock: systemClock, logger: silentLogger };
    const queue = await OpenQueue.open(settings, ports, { onWork: () => {}, onStop: () => {} });
    const problem = await queue.start();
    if (!problem) return new TaskOperator(queue, { schema: options.schema, by });
    await queue.close();
    throw problem;
  }

  /** Lists tasks, the latest first. */
  list(filter: TaskFilter = {}): Promise<OperatedTask[]> {
    return this.#desk.records.list(this.queue.query, filter);
  }

  /** @returns `undefined` when there is no such task */
  show(id: string): Promise<OperatedTask | undefined> {
    return this.#desk.records.show(this.queue.query, id);
  }

  /** Cancels a task, and stops its run within a second. @returns false when there is no such task, or it has ended */
  cancel(id: string): Promise<boolean> {
    return this.#desk.cancel(id);
  }

  /**
   * Begins the work of a task that has ended again. The work gets a new task of the same owner, because clients never
   * see the final status of a task change. Steps (`once`) that have a result are not done again.
   *
   * @returns the id of the new task; `undefined` when there is no such task, it has not ended, or no queue has its work
   */
  retry(id: string): Promise<string | undefined> {
    return this.#desk.retry(id);
  }

  /** The tasks of a person, a program or a tenant, as they are stored. Those of one caller come the oldest first. */
  ofOwner(owner: DataOwner): AsyncIterable<OwnedTask> {
    return this.#desk.ofOwner(owner);
  }

  /**
   * Removes the tasks of a person, a program or a tenant, and stops their runs. What operators have done with them stays,
   * without the owner.
   *
   * @returns how many tasks are gone
   */
  erase(owner: DataOwner): Promise<number> {
    return this.#desk.erase(owner);
  }

  /** What operators have done, the latest first. */
  actions(limit = 50): Promise<TaskAction[]> {
    return this.#desk.records.actions(this.queue.query, limit);
  }

  /** The schedules that have been due, of all servers that share the tables. */
  schedules(): Promise<KnownSchedule[]> {
    return this.queue.ticks.list(this.queue.query);
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
