import type { Pool } from 'pg';
import { type Database, DatabaseUnavailableError, type Queries } from './database.js';
import { createSchema } from './schema.js';

/** Opens a Postgres server by its `postgres://` URL. The driver is loaded here, at first need. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg');
  let pool: Pool;
  try {
    pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 });
  } catch {
    throw new DatabaseUnavailableError(
      'DATABASE_URL is not a URL that Postgres takes. It looks like postgres://user:password@host:5432/database.',
    );
  }
  // A connection that breaks while idle is replaced by the pool; unheard, this event would end the process.
  pool.on('error', (error) => console.error(`Postgres closed an idle connection: ${error.message}`));
  const database = new PostgresDatabase(pool);
  try {
    await createSchema(database);
  } catch (error) {
    await pool.end();
    // The URL holds a password: only the driver's own words are shown.
    throw new DatabaseUnavailableError(
      `The Postgres server of DATABASE_URL cannot be used: ${messageOf(error)}. Check the URL and that the server runs.`,
      { cause: error },
    );
  }
  return database;
}

class PostgresDatabase implements Database {
  constructor(private readonly pool: Pool) {}

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(sql, [...parameters]);
    return rows as Row[];
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    const queries: Queries = {
      query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
        (await client.query(sql, [...parameters])).rows as Row[],
    };
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(queries);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    // What ends from here on is meant to end.
    this.pool.removeAllListeners('error').on('error', () => undefined);
    await this.pool.end();
  }
}

/** A refused connection is an AggregateError without a message of its own: one error per address tried. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
