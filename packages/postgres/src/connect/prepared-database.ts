import type { StorePorts } from '@toolwright/core/ports';
import { isAway, PostgresError } from '../errors.js';
import type { Database, Query, Row } from './database.js';
import { Keeper } from './keeper.js';

export interface PreparedDatabaseSettings {
  /** The name that operators know it by. */
  readonly name: string;
  readonly checkInterval: number;
  /** How long a script may take. Default: a minute. */
  readonly timeout?: number;
  /** Sees to it that the tables are there. It is called again when Postgres was away. */
  prepare(): Promise<void>;
  /** Is called when Postgres answers, for the first time and again. */
  raised?(): void;
}

/**
 * The database with its tables. While it is known to be away, questions fail at once, so that no call waits for a
 * database that hangs.
 */
export class PreparedDatabase {
  readonly keeper: Keeper;

  constructor(
    readonly database: Database,
    ports: StorePorts,
    private readonly settings: PreparedDatabaseSettings,
  ) {
    const { name, checkInterval, prepare, raised } = settings;
    const check = () => checkWritable(database);
    const raise = async () => {
      await prepare();
      await check();
    };
    this.keeper = new Keeper({ name, raise, check, ...(raised && { raised }) }, ports, checkInterval);
  }

  /** @throws {PostgresError} */
  query(text: string, values?: unknown[]): Promise<Row[]> {
    return this.#ask(() => this.database.query(text, values));
  }

  /**
   * Runs a text of several statements that begins and ends its own transaction.
   *
   * @throws {PostgresError}
   */
  script(sql: string): Promise<Row[]> {
    return this.#ask(() => this.database.script(sql, this.settings.timeout));
  }

  /** @throws {PostgresError} */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#ask(() => this.database.transaction(work));
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.keeper.isUp) throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'Postgres is away.');
    try {
      return await ask();
    } catch (error) {
      if (isAway(error)) this.keeper.lost(error);
      throw error;
    }
  }
}

/** A standby, or a server that its operator has made read-only, answers every question and stores nothing. */
async function checkWritable(database: Database): Promise<void> {
  const [row] = await database.query(`SELECT current_setting('transaction_read_only') AS "readOnly"`);
  if (row?.['readOnly'] === 'on')
    throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'Postgres takes no writes: it is read-only.');
}
