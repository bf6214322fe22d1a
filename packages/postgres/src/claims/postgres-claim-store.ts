import type { ClaimStore } from '@toolwright/core/ports';
import { type Statements, digest, isDone, isKept, lifetime, until } from '../schema/sql.js';

/** Keeps claims as rows. Only the clock of the database counts, so the clocks of the processes may differ. */
export class PostgresClaimStore implements ClaimStore {
  readonly #claim: string;
  readonly #release: string;
  readonly #has: string;

  constructor(
    private readonly database: Statements,
    schema: string,
  ) {
    // Whoever finds a row that has expired takes it over. For all others the statement changes nothing.
    this.#claim = `INSERT INTO "${schema}".claims AS held (key, expires_at)
      VALUES ($1, ${until('$2')})
      ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at WHERE NOT ${isKept('held')}
      RETURNING true AS done`;
    this.#release = `DELETE FROM "${schema}".claims WHERE key = $1 RETURNING ${isKept()} AS done`;
    this.#has = `SELECT ${isKept()} AS done FROM "${schema}".claims WHERE key = $1`;
  }

  async claim(key: string, ttlMs: number): Promise<boolean> {
    return isDone(await this.database.query(this.#claim, [digest(key), lifetime(ttlMs)]));
  }

  async release(key: string): Promise<boolean> {
    return isDone(await this.database.query(this.#release, [digest(key)]));
  }

  async has(key: string): Promise<boolean> {
    return isDone(await this.database.query(this.#has, [digest(key)]));
  }
}
