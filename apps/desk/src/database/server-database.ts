import { Pool } from 'pg';
import type { Database, Queries } from './database.js';
import { storable } from './storable.js';
import { createTables } from './tables.js';

/** A PostgreSQL server, which all replicas share. */
export class ServerDatabase implements Database {
  private constructor(private readonly pool: Pool) {}

  static async open(url: string): Promise<ServerDatabase> {
    const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 });
    // A connection that breaks while nobody uses it is replaced by the next query.
    pool.on('error', () => undefined);
    const database = new ServerDatabase(pool);
    await createTables(database);
    return database;
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query(sql, storable(parameters))).rows as Row[];
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    const queries: Queries = {
      query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
        (await client.query(sql, storable(parameters))).rows as Row[],
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

  close(): Promise<void> {
    return this.pool.end();
  }
}
