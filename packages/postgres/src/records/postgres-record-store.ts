import type { RecordStore, RecordWrite } from '@toolwright/core/ports';
import type { Row } from '../connect/database.js';
import { type Statements, isDone, isKept, lifetime, until } from '../schema/sql.js';

/** How many records one statement reads. */
const PER_PAGE = 500;

/** Keeps records as rows. Only the clock of the database counts, so the clocks of the processes may differ. */
export class PostgresRecordStore implements RecordStore {
  readonly #statements: Readonly<Record<'get' | 'insert' | 'update' | 'delete' | 'page', string>>;

  constructor(
    private readonly database: Statements,
    schema: string,
  ) {
    const table = `"${schema}".records`;
    this.#statements = {
      get: `SELECT value FROM ${table} WHERE room = $1 AND id = $2 AND ${isKept()}`,
      // Whoever finds a row that has expired takes it over.
      insert: `INSERT INTO ${table} AS kept (room, id, value, expires_at) VALUES ($1, $2, $3, ${until('$4')})
        ON CONFLICT (room, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
        WHERE NOT ${isKept('kept')} RETURNING true AS done`,
      update: `UPDATE ${table} SET value = $3, expires_at = ${until('$4')}
        WHERE room = $1 AND id = $2 AND value = $5 AND ${isKept()} RETURNING true AS done`,
      delete: `DELETE FROM ${table} WHERE room = $1 AND id = $2 RETURNING ${isKept()} AS done`,
      page: `SELECT id, value FROM ${table}
        WHERE room = $1 AND ($2::text IS NULL OR id > $2) AND ${isKept()} ORDER BY id LIMIT $3`,
    };
  }

  async get(room: string, id: string): Promise<string | undefined> {
    const [row] = await this.database.query(this.#statements.get, [room, id]);
    return row?.['value'] as string | undefined;
  }

  async put(room: string, id: string, value: string, { was, ttlMs }: RecordWrite): Promise<boolean> {
    const row = [room, id, value, lifetime(ttlMs)];
    const { insert, update } = this.#statements;
    return isDone(
      await (was === undefined
        ? this.database.query(insert, row)
        : this.database.query(update, [...row, was])),
    );
  }

  async delete(room: string, id: string): Promise<boolean> {
    return isDone(await this.database.query(this.#statements.delete, [room, id]));
  }

  async list(room: string): Promise<(readonly [string, string])[]> {
    // No limit: all of them.
    const rows = await this.database.query(this.#statements.page, [room, null, null]);
    return rows.map(recordOf);
  }

  async *each(room: string): AsyncGenerator<readonly [string, string]> {
    for (let after: string | null = null; ;) {
      const rows: Row[] = await this.database.query(this.#statements.page, [room, after, PER_PAGE]);
      yield* rows.map(recordOf);
      if (rows.length < PER_PAGE) return;
      after = rows.at(-1)!['id'] as string;
    }
  }
}

const recordOf = (row: Row) => [row['id'] as string, row['value'] as string] as const;
