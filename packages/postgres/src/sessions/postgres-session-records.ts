import type { SessionRecord, SessionRecords } from '@toolwright/core/ports';
import { type Statements, isKept, lifetime, until } from '../schema/sql.js';

/** Keeps session records as rows. The keys and the owners are digests of the server. */
export class PostgresSessionRecords implements SessionRecords {
  readonly #statements: Readonly<Record<'get' | 'set' | 'delete' | 'ofOwner', string>>;

  constructor(
    private readonly database: Statements,
    schema: string,
  ) {
    const table = `"${schema}".sessions`;
    this.#statements = {
      get: `SELECT record FROM ${table} WHERE key = $1 AND ${isKept()}`,
      set: `INSERT INTO ${table} (key, record, owner, tenant, expires_at)
        VALUES ($1, $2, $3, $4, ${until('$5')})
        ON CONFLICT (key) DO UPDATE
        SET record = excluded.record, owner = excluded.owner, tenant = excluded.tenant, expires_at = excluded.expires_at`,
      delete: `DELETE FROM ${table} WHERE key = $1`,
      ofOwner: `SELECT key FROM ${table} WHERE (owner = $1 OR tenant = $1) AND ${isKept()}`,
    };
  }

  async get(key: string): Promise<SessionRecord | undefined> {
    const [row] = await this.database.query(this.#statements.get, [key]);
    return row && (JSON.parse(row['record'] as string) as SessionRecord);
  }

  async set(key: string, record: SessionRecord, ttlMs: number): Promise<void> {
    const { owner = null, tenant = null } = record;
    const row = [key, JSON.stringify(record), owner, tenant, lifetime(ttlMs)];
    await this.database.query(this.#statements.set, row);
  }

  async delete(key: string): Promise<void> {
    await this.database.query(this.#statements.delete, [key]);
  }

  async ofOwner(owner: string): Promise<string[]> {
    const rows = await this.database.query(this.#statements.ofOwner, [owner]);
    return rows.map(({ key }) => key as string);
  }
}
