import { toPostgresError } from '../errors.js';
import type { PgliteClient } from './clients.js';
import type { Database, Query, Row, Session } from './database.js';

/** A database within this process. It belongs to the application, and is never away. */
export class PgliteDatabase implements Database {
  constructor(private readonly pglite: PgliteClient) {}

  async query(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.pglite.query(text, values)).rows as Row[];
    } catch (error) {
      throw toPostgresError(error);
    }
  }

  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      return await this.pglite.transaction((transaction) =>
        work(async (text, values = []) => (await transaction.query(text, values)).rows as Row[]),
      );
    } catch (error) {
      throw toPostgresError(error);
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

  session(): Promise<Session> {
    return Promise.resolve(new PgliteSession(this, this.pglite));
  }

  async close(): Promise<void> {}
}

class PgliteSession implements Session {
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
