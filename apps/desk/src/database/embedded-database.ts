// The types of what `import()` below gives; the ones of `require` are another class.
import type { PGlite, Transaction } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import type { Database, Queries } from './database.js';
import { storable } from './storable.js';
import { createTables } from './tables.js';

/** PostgreSQL within this process. It keeps everything in memory. */
export class EmbeddedDatabase implements Database {
  private constructor(
    /** For the stores of the server, which share the database. */
    readonly pglite: PGlite,
  ) {}

  static async open(): Promise<EmbeddedDatabase> {
    const { PGlite } = await import('@electric-sql/pglite');
    const database = new EmbeddedDatabase(await PGlite.create());
    await createTables(database);
    return database;
  }

  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.pglite, sql, parameters);
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.pglite.transaction((transaction) =>
      work({ query: (sql, parameters) => rowsOf(transaction, sql, parameters) }),
    );
  }

  close(): Promise<void> {
    return this.pglite.close();
  }
}

async function rowsOf<Row>(queries: PGlite | Transaction, sql: string, parameters: readonly unknown[] = []) {
  return (await queries.query<Row>(sql, storable(parameters))).rows;
}
