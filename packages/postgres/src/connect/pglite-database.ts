import { toPostgresError } from '../errors.js';
import type { PgliteClient, PgliteTransaction } from './connection-options.js';
import type { Database, Query, Row, DatabaseSession } from './database.js';

/** A database within this process. It belongs to the application, and is never away. */
export class PgliteDatabase implements Database {
  constructor(private readonly pglite: PgliteClient) {}

  async query(text: string, values: unknown[] = []): Promise<Row[]> {
    return ask(this.pglite, text, values);
  }

  /** What the work itself throws is not an error of the database. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    let thrown: { error: unknown } | undefined;
    try {
      return await this.pglite.transaction((transaction) =>
        work((text, values = []) => ask(transaction, text, values)).catch((error: unknown) => {
          thrown = { error };
          throw error;
        }),
      );
    } catch (error) {
      throw thrown?.error === error ? error : toPostgresError(error);
    }
  }

  async script(sql: string): Promise<Row[]> {
    try {
      const answers = (await this.pglite.exec(sql)) as { rows?: Row[] }[];
      return answers.flatMap(({ rows }) => rows ?? []);
    } catch (error) {
      // There is only one connection: without this, everybody would stay in the failed transaction.
      await this.pglite.exec('ROLLBACK');
      throw toPostgresError(error);
    }
  }

  session(): Promise<DatabaseSession> {
    return Promise.resolve(new PgliteSession(this, this.pglite));
  }

  async close(): Promise<void> {}
}

async function ask(pglite: PgliteTransaction, text: string, values: unknown[]): Promise<Row[]> {
  try {
    return (await pglite.query(text, values)).rows as Row[];
  } catch (error) {
    throw toPostgresError(error);
  }
}

class PgliteSession implements DatabaseSession {
  readonly #stops: (() => Promise<void>)[] = [];

  constructor(
    private readonly database: PgliteDatabase,
    private readonly pglite: PgliteClient,
  ) {}

  query(text: string, values?: unknown[]): Promise<Row[]> {
    return this.database.query(text, values);
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<void> {
    this.#stops.push(await this.pglite.listen(channel, hear));
  }

  isPooled(): Promise<boolean> {
    return Promise.resolve(false);
  }

  end(): void {
    // The application may have closed its database before.
    for (const stop of this.#stops.splice(0)) stop().catch(() => {});
  }
}
