import type { StorePorts } from '@toolwright/core';
import { PostgresError, toPostgresError } from '../errors.js';
import { prepareSchema, type SchemaSettings } from '../schema/migrate.js';
import type { Database, Row } from './database.js';
import { Keeper } from './keeper.js';

/**
 * The database with its tables. While it is known to be away, questions fail at once, so that no call waits for a
 * database that hangs.
 */
export class PreparedDatabase {
  readonly keeper: Keeper;

  constructor(
    readonly database: Database,
    ports: StorePorts,
    { checkMs, ...settings }: SchemaSettings & { checkMs: number },
  ) {
    const kept = {
      name: 'postgres',
      raise: () => prepareSchema(database, settings),
      check: async () => void (await database.query('SELECT 1')),
    };
    this.keeper = new Keeper(kept, ports, checkMs);
  }

  /** @throws {PostgresError} */
  async query(text: string, values?: unknown[]): Promise<Row[]> {
    if (!this.keeper.isUp) throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'Postgres is away.');
    try {
      return await this.database.query(text, values);
    } catch (thrown) {
      const error = toPostgresError(thrown);
      if (error.code === 'TW_POSTGRES_UNAVAILABLE') this.keeper.lost(error);
      throw error;
    }
  }
}
