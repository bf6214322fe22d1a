import { systemClock, silentLogger } from '@toolwright/core/ports';
import { openDatabase, parseConnection, prepareTables } from '@toolwright/postgres/database';
import { JobEngine } from './engine/job-engine.js';
import { checkNodeVersion } from './node-version.js';
import { taskTables } from './records/task-tables.js';
import { engineSchema, taskDatabaseOptions, type TaskDatabaseOptions } from './task-database.js';

const { migrate: _migrate, ...migrateOptions } = taskDatabaseOptions;

/**
 * Makes the tables of `postgresTasks`, or brings them up to date. It may run twice, and two releases may run it at the
 * same time. Without it, the queue does the same when it opens.
 *
 * @throws {ConfigurationError} when an option is wrong, or Node.js is older than 22.12
 * @throws {PostgresError} when Postgres does not answer, or refuses
 *
 * @example
 * await migrateTasks({ url: process.env.DATABASE_URL });
 */
export async function migrateTasks(given: Omit<TaskDatabaseOptions, 'migrate'>): Promise<void> {
  const { schema, ...options } = parseConnection('migrateTasks', migrateOptions, given);
  checkNodeVersion();
  const database = await openDatabase({ ...options, clock: systemClock });
  try {
    await prepareTables(database, taskTables, { schema, migrate: true });
    const isPglite = options.pglite !== undefined;
    const settings = { schema: engineSchema(schema), migrate: true, isPglite };
    const engine = await JobEngine.start(database, settings, silentLogger);
    await engine.stop();
  } finally {
    await database.close();
  }
}
