import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../connect/database.js';
import { PostgresError } from '../errors.js';

/** Tables that belong together and get newer together. */
export interface TableSet {
  /** The table that remembers which versions there are. */
  readonly versions: string;
  /**
   * The migrations, oldest first: statements for a quoted schema. Each may run again, and each must leave what older
   * releases use: they run beside the new one for a while.
   */
  readonly steps: readonly ((schema: string) => string)[];
  /** What operators do when the tables are missing, in the imperative. */
  readonly advice: string;
}

export interface SchemaSettings {
  readonly schema: string;
  readonly migrate: boolean;
}

/**
 * The text that makes the tables, or brings them up to date. It is one transaction, and a lock keeps a second one that
 * runs at the same time waiting.
 *
 * @param from the version that the tables have. What they have needs no lock on tables that an older release uses
 */
export function scriptOf({ versions, steps }: TableSet, schema: string, from = 0): string {
  const texts = steps.slice(from).map((step, index) => {
    const version = from + index + 1;
    return `-- Version ${version}${step(`"${schema}"`)}
INSERT INTO "${schema}".${versions} (version) VALUES (${version}) ON CONFLICT DO NOTHING;`;
  });
  return `BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = 0;
SET LOCAL client_min_messages = warning;
SELECT pg_advisory_xact_lock(hashtextextended('toolwright.${schema}', 0));
SET LOCAL lock_timeout = ${LOCK_MS};

-- IF NOT EXISTS would ask for the right to make schemas, even where there is nothing to make.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') THEN
    CREATE SCHEMA "${schema}";
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS "${schema}".${versions} (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

${texts.join('\n\n')}

COMMIT;
`;
}

/**
 * Sees to it that the tables are there. A newer version is as good: migrations leave what older releases use.
 *
 * @throws {PostgresError} `TW_POSTGRES_REFUSED` when they are missing or old and nobody may change that
 */
export async function prepareTables(
  database: Database,
  tables: TableSet,
  { schema, migrate }: SchemaSettings,
): Promise<void> {
  await requireUnicode(database);
  const version = await versionOf(database, tables, schema);
  const needed = tables.steps.length;
  if (version >= needed) return;
  if (migrate) return runScript(database, scriptOf(tables, schema, version));
  throw new PostgresError(
    'TW_POSTGRES_REFUSED',
    `The tables in the schema "${schema}" have version ${version}, but this release needs ${needed}. ` +
      `${tables.advice}, or leave out \`migrate: false\`.`,
  );
}

/**
 * How long a migration waits for a table. While it waits behind a long reader, such as a backup, every statement of the older
 * release on that table waits behind it.
 */
const LOCK_MS = 500;
/** How long the older release then has the table for itself. */
const PAUSE_MS = 500;
const MOST_ATTEMPTS = 60;
/** SQLSTATE of a lock that was not free in time. */
const NOT_FREE = '55P03';

async function runScript(database: Database, script: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await database.script(script));
    } catch (error) {
      const isTaken = error instanceof PostgresError && error.sqlState === NOT_FREE;
      if (!isTaken || attempt === MOST_ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/**
 * Other encodings lack characters that callers send. Each such record or event would be refused, at some time after the boot.
 * SQL_ASCII takes all bytes as they are.
 */
async function requireUnicode(database: Database): Promise<void> {
  const [row] = await database.query(`SELECT current_setting('server_encoding') AS encoding`);
  const encoding = row?.['encoding'];
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new PostgresError(
    'TW_POSTGRES_REFUSED',
    `The database has the encoding ${String(encoding)}, which lacks characters that callers send. Use one with UTF8.`,
  );
}

/** SQLSTATE of a schema and of a table that is not there. */
const MISSING = ['3F000', '42P01'];

/** The version of the tables; 0 when there are no tables. */
export async function versionOf(database: Database, { versions }: TableSet, schema: string): Promise<number> {
  try {
    const [row] = await database.query(`SELECT max(version)::int AS version FROM "${schema}".${versions}`);
    return (row?.['version'] as number | null) ?? 0;
  } catch (error) {
    if (error instanceof PostgresError && MISSING.includes(error.sqlState ?? '')) return 0;
    throw error;
  }
}
