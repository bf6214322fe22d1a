import { systemClock } from '@toolwright/core/ports';
import { type OptionSchema, parseOptions } from '@toolwright/core/options';
import {
  type PostgresConnectionOptions,
  connectionOptions,
  parseConnection,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { type TableSet, prepareTables, scriptOf, versionOf } from './table-set.js';

export interface MigrationSqlOptions {
  /** The schema that holds the tables. Default `toolwright`. */
  schema?: string;
}

const sqlOptions = {
  schema: connectionOptions.schema,
} satisfies OptionSchema<MigrationSqlOptions>;

/** The tables of the stores and of the audit records. */
export const storeTables: TableSet = {
  versions: 'migrations',
  advice: 'Run the text of migrationSql()',
  steps: [
    (schema) => `
CREATE TABLE IF NOT EXISTS ${schema}.claims (
  key text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS claims_expires_at ON ${schema}.claims (expires_at);

-- Events that are too large for a notification. They are worth nothing after a crash.
CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.events (
  id text COLLATE "C" PRIMARY KEY,
  event text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- "record" is json, not jsonb: it keeps the text as it was sent, and takes every character.
CREATE TABLE IF NOT EXISTS ${schema}.audit_records (
  id text COLLATE "C" PRIMARY KEY,
  writer text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  time timestamptz NOT NULL,
  event text NOT NULL,
  operation text NOT NULL,
  name text NOT NULL,
  subject text,
  outcome text,
  call_id text NOT NULL,
  trace_id text,
  record json NOT NULL
);
CREATE INDEX IF NOT EXISTS audit_records_writer ON ${schema}.audit_records (writer, seq);
CREATE INDEX IF NOT EXISTS audit_records_time ON ${schema}.audit_records (time);`,
    (schema) => `
CREATE TABLE IF NOT EXISTS ${schema}.records (
  room text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (room, id)
);
CREATE INDEX IF NOT EXISTS records_expires_at ON ${schema}.records (expires_at);`,
    (schema) => `
CREATE TABLE IF NOT EXISTS ${schema}.sessions (
  key text COLLATE "C" PRIMARY KEY,
  record text NOT NULL,
  owner text COLLATE "C",
  tenant text COLLATE "C",
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_owner ON ${schema}.sessions (owner);
CREATE INDEX IF NOT EXISTS sessions_tenant ON ${schema}.sessions (tenant);
CREATE INDEX IF NOT EXISTS sessions_expires_at ON ${schema}.sessions (expires_at);

-- What follows is not logged: no commit waits for the disk. A crash of PostgreSQL empties these tables, and a standby that
-- takes over finds them empty.

-- The room on each page lets a count change without a new entry in the indexes, and the old ones are removed on the way.
CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.limits (
  key text COLLATE "C" PRIMARY KEY,
  used float8 NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS limits_expires_at ON ${schema}.limits (expires_at);

CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.leases (
  key text COLLATE "C" NOT NULL,
  member text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key, member)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.stream_events (
  session text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  stream text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  follows text COLLATE "C",
  text text NOT NULL,
  last boolean NOT NULL,
  bytes bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (session, place)
);
CREATE INDEX IF NOT EXISTS stream_events_expires_at ON ${schema}.stream_events (expires_at);

CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.results (
  key text COLLATE "C" PRIMARY KEY,
  value text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS results_expires_at ON ${schema}.results (expires_at);`,
  ],
};

/**
 * The text that makes the tables, or brings them up to date. You can run it by hand, with `psql`, as often as you
 * like. It is one transaction, and a lock keeps a second one that runs at the same time waiting.
 *
 * @throws {ConfigurationError} when the schema's name is not one
 *
 * @example
 * console.log(migrationSql({ schema: 'toolwright' }));
 */
export function migrationSql(options: MigrationSqlOptions = {}): string {
  const { schema } = parseOptions('migrationSql', sqlOptions, options);
  return scriptOf(storeTables, schema);
}

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
