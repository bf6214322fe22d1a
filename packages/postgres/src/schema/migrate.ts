import { systemClock } from '@toolwright/core';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { storeTables } from './migrations.js';
import { prepareTables, versionOf } from './table-set.js';

export type MigrateOptions = Omit<PostgresConnectionOptions, 'migrate'>;

/** What a migration has done. */
export interface MigrationReport {
  /** The version of the tables before; 0 when there were none. */
  readonly from: number;
  /** The version of the tables now. It is newer than this release knows when a newer release has run before. */
  readonly to: number;
}

const { migrate: _migrate, ...migrateOptions } = connectionOptions;

/**
 * Makes the tables, or brings them up to date. It may run twice, and two releases may run it at the same time.
 * Without it, the stores do the same when they open.
 *
 * @throws {ConfigurationError} when an option is wrong
 * @throws {PostgresError} when Postgres does not answer, or refuses
 *
 * @example
 * await migrate({ url: process.env.DATABASE_URL });
 */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  const { schema, ...settings } = parseConnection('migrate', migrateOptions, options);
  const database = await openDatabase({ ...settings, clock: systemClock });
  try {
    const from = await versionOf(database, storeTables, schema);
    await prepareTables(database, storeTables, { schema, migrate: true });
    return { from, to: await versionOf(database, storeTables, schema) };
  } finally {
    await database.close();
  }
}
