import { systemClock } from '@toolwright/core/ports';
import { optionRules, type OptionSchema } from '@toolwright/core/options';
import type { AuditRecord, RecordSink } from '@toolwright/audit';
import {
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import type { Database } from '../connect/database.js';
import { openDatabase, type DatabaseSettings } from '../connect/open-database.js';
import { storeTables } from '../schema/migrate.js';
import { prepareTables, type SchemaSettings } from '../schema/table-set.js';
import { auditRow, columnNames, rowsFromJson } from './audit-table.js';

export interface PostgresAuditSinkOptions extends PostgresConnectionOptions {
  /**
   * The name of the sink: small letters, digits and hyphens. Default `postgres`. Set it when there are several, and
   * do not change it: the log remembers its place by this name.
   */
  name?: string;
  /** How many records one statement stores. Default 500. */
  batch?: number;
}

const { positiveCount } = optionRules;

const sinkOptions = {
  ...connectionOptions,
  // Nobody waits for a sink, and a batch takes longer than a claim.
  timeout: { ...connectionOptions.timeout, default: 10_000 },
  name: {
    expected: 'small letters, digits and hyphens',
    accepts: (value: unknown) => typeof value === 'string' && /^[a-z0-9-]+$/.test(value),
    default: 'postgres',
  },
  batch: { ...positiveCount, default: 500 },
} satisfies OptionSchema<PostgresAuditSinkOptions>;

/**
 * Ships the records of the audit log into the table `audit_records`. The log stays the truth. Each record arrives at
 * least once, and the table keeps it once. While Postgres is away, nobody waits; the log sends the records later.
 *
 * @throws {ConfigurationError} when an option is wrong
 *
 * @example
 * const audit = { file: 'var/audit.jsonl', sinks: [postgresAuditSink({ url: process.env.DATABASE_URL })] };
 */
export function postgresAuditSink(given: PostgresAuditSinkOptions): RecordSink {
  const { name, batch, ...options } = parseConnection('postgresAuditSink', sinkOptions, given);
  return new PostgresAuditSink(name, batch, { ...options, clock: systemClock });
}

class PostgresAuditSink implements RecordSink {
  #database: Promise<Database> | undefined;

  constructor(
    readonly name: string,
    private readonly batch: number,
    private readonly settings: DatabaseSettings & SchemaSettings,
  ) {}

  async ship(records: readonly AuditRecord[]): Promise<void> {
    if (records.length === 0) return;
    const database = await (this.#database ??= this.#open());
    for (let start = 0; start < records.length; start += this.batch) {
      await this.#store(database, records.slice(start, start + this.batch));
    }
  }

  async close(): Promise<void> {
    await (await this.#database)?.close();
  }

  async #store(database: Database, records: readonly AuditRecord[]): Promise<void> {
    const values = columnNames.map((name) => conversions[name] ?? name);
    await database.query(
      `INSERT INTO "${this.settings.schema}".audit_records (${columnNames.join(', ')})
       SELECT ${values.join(', ')} FROM ${rowsFromJson}
       ON CONFLICT (id) DO NOTHING`,
      [JSON.stringify(records.map(auditRow))],
    );
  }

  /** It connects when there is something to send. An attempt that fails is made again with the next records. */
  async #open(): Promise<Database> {
    const database = await openDatabase(this.settings);
    try {
      await prepareTables(database, storeTables, this.settings);
      return database;
    } catch (error) {
      this.#database = undefined;
      await database.close();
      throw error;
    }
  }
}

/** How values that are not text in the table come from JSON. */
const conversions: Readonly<Record<string, string>> = {
  time: 'to_timestamp(time / 1000)',
  record: 'record::json',
};
