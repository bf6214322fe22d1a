import type { ResultCache } from '@toolwright/core/ports';
import { type Statements, digest, isKept, lifetime, until } from '../schema/sql.js';

/** Keeps results as rows. A result that is too large is not kept. While Postgres is away, every result is unknown. */
export class PostgresResultCache implements ResultCache {
  readonly #get: string;
  readonly #set: string;

  constructor(
    private readonly database: Statements,
    schema: string,
    private readonly maxBytes: number,
  ) {
    const table = `"${schema}".results`;
    this.#get = `SELECT value FROM ${table} WHERE key = $1 AND ${isKept()}`;
    this.#set = `INSERT INTO ${table} (key, value, expires_at) VALUES ($1, $2, ${until('$3')})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
  }

  async get(key: string): Promise<unknown> {
    try {
      const [row] = await this.database.query(this.#get, [digest(key)]);
      return row && JSON.parse(row['value'] as string);
    } catch {
      // The call runs again: a cache may forget.
      return undefined;
    }
  }

  async set(key: string, value: unknown, ttlMs: number): Promise<void> {
    const text = JSON.stringify(value);
    if (text === undefined || Buffer.byteLength(text) > this.maxBytes) return;
    try {
      await this.database.query(this.#set, [digest(key), text, lifetime(ttlMs)]);
    } catch {
      // The health of the store tells about it. The result itself is whole.
    }
  }
}
