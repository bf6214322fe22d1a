import { systemClock } from '@toolwright/core';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import type { Database } from '../connect/database.js';
import { openDatabase } from '../connect/open-database.js';
import { PostgresError } from '../errors.js';
import { migrationSql, SCHEMA_VERSION } from './migrations.js';

export type MigrateOptions = Omit<PostgresConnectionOptions, 'migrate'>;

/** What a migration has done. */
export interface MigrationReport {
  /** The version of the tables before; 0 when there were none. */
  readonly from: number;
  /** The version of the tables now. It is newer than this release knows when a newer release has run before. */
  readonly to: number;
}

export interface SchemaSettings {
  readonly schema: string;
  readonly migrate: boolean;
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
    const from = await schemaVersion(database, schema);
    await prepareSchema(database, { schema, migrate: true });
    return { from, to: await schemaVersion(database, schema) };
  } finally {
    await database.close();
  }
}

/**
 * Sees to it that the tables are there. A newer version is as good: migrations leave what older releases use.
 *
 * @throws {PostgresError} `TW_POSTGRES_REFUSED` when they are missing or old and nobody may change that
 */
export async function prepareSchema(database: Database, { schema, migrate }: SchemaSettings): Promise<void> {
  const version = await schemaVersion(database, schema);
  if (version >= SCHEMA_VERSION) return;
  if (migrate) return database.script(migrationSql({ schema }));
  throw new PostgresError(
    'TW_POSTGRES_REFUSED',
    `The tables in the schema "${schema}" have version ${version}, but this release needs ${SCHEMA_VERSION}. ` +
      'Run the text of migrationSql(), or leave out `migrate: false`.',
  );
}

/** SQLSTATE of a schema and of a table that is not there. */
const MISSING = ['3F000', '42P01'];

async function schemaVersion(database: Database, schema: string): Promise<number> {
  try {
    const [row] = await database.query(`SELECT max(version)::int AS version FROM "${schema}".migrations`);
    return (row?.['version'] as number | null) ?? 0;
  } catch (error) {
    if (error instanceof PostgresError && MISSING.includes(error.sqlState ?? '')) return 0;
    throw error;
  }
}
