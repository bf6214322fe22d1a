import { type Duration, optionRules, type OptionSchema } from '@toolwright/core/options';
import type { TaskQueue } from '@toolwright/queue';
import { address, checkConnections, connectionOptions, parseConnection } from '@toolwright/postgres/database';
import { checkNodeVersion } from './node-version.js';
import { taskDatabaseOptions, type TaskDatabaseOptions } from './task-database.js';
import { PostgresTaskQueue } from './postgres-task-queue.js';

export interface PostgresTasksOptions extends TaskDatabaseOptions {
  /**
   * The address to listen at, when `url` or `pool` leads to a pooler such as PgBouncer: LISTEN needs a connection of
   * its own to Postgres itself.
   */
  listenUrl?: string;
  /**
   * How often each connection is asked whether it still answers. Default 5 seconds. More than 0, at most a
   * day.
   */
  checkInterval?: Duration;
  /**
   * A run is lost when nothing was heard of its worker for this long. Others find out at most 6 seconds
   * later. At least 10 seconds, which is the default. 0 is refused.
   */
  lostAfter?: Duration;
  /**
   * How many tasks one owner may have at a time, ended ones included. All anonymous callers together are one owner.
   * Default 1 second.
   */
  maxPerOwner?: number;
  /**
   * How many tasks all principals together may have. Tasks of anonymous callers do not count here. It is counted once
   * a second, so processes together may exceed it by the tasks that they create within a second. Default 10 seconds.
   */
  max?: number;
}

const { count, durationThat } = optionRules;

/** pg-boss takes no shorter time. */
const SHORTEST_LOSS_MS = 10_000;

const lostAfter = durationThat(
  "a duration from '10s' on",
  (ms) => ms >= SHORTEST_LOSS_MS && Number.isFinite(ms),
);

const tasksOptions = {
  ...taskDatabaseOptions,
  listenUrl: address,
  checkInterval: { ...connectionOptions.timeout, default: 5_000 },
  lostAfter: { ...lostAfter, default: SHORTEST_LOSS_MS },
  maxPerOwner: { ...count, default: 1_000 },
  max: { ...count, default: 10_000 },
} satisfies OptionSchema<PostgresTasksOptions>;

/**
 * Durable tasks: records in PostgreSQL, and pg-boss to hand out their work. The work of a task survives its process,
 * and any process of the server may do it.
 *
 * @throws {ConfigurationError} when an option is wrong, or Node.js is older than 22.12
 *
 * @example
 * const server = await createMcpServer({
 *   name: 'reports',
 *   version: '1.0.0',
 *   services: [Reports],
 *   stores: [{ tasks: postgresTasks({ url: process.env.DATABASE_URL }) }],
 * });
 */
export function postgresTasks(given: PostgresTasksOptions): TaskQueue {
  const options = parseConnection('postgresTasks', tasksOptions, given);
  checkNodeVersion();
  checkConnections('postgresTasks', options);
  return new PostgresTaskQueue(options);
}
