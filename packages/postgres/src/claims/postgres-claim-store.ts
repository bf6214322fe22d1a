import { createHash } from 'node:crypto';
import type { ClaimStore } from '@toolwright/core/ports';
import type { Row } from '../connect/database.js';
import { PostgresError } from '../errors.js';

/** An interval of PostgreSQL has an end; this one is as good as none. */
const LONGEST_TTL_MS = 100 * 365 * 86_400_000;

/** SQLSTATE where transactions are stricter than usual, and one of two at the same time has to start again. */
const SERIALIZATION_FAILURE = '40001';

/**
 * Keeps claims as rows. Only the clock of the database counts, so the clocks of the processes may differ. The key is
 * stored as its SHA-256: keys can be long, and nobody who reads the table learns them.
 */
export class PostgresClaimStore implements ClaimStore {
  readonly #claim: string;
  readonly #release: string;
  readonly #has: string;

  constructor(
    private readonly query: (text: string, values: unknown[]) => Promise<Row[]>,
    schema: string,
  ) {
    // Whoever finds a row that has expired takes it over. For all others the statement changes nothing.
    this.#claim = `INSERT INTO "${schema}".claims AS held (key, expires_at)
      VALUES ($1, clock_timestamp() + $2::float8 * interval '1 millisecond')
      ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at WHERE held.expires_at <= clock_timestamp()
      RETURNING true AS done`;
    this.#release = `DELETE FROM "${schema}".claims WHERE key = $1
      RETURNING expires_at > clock_timestamp() AS done`;
    this.#has = `SELECT expires_at > clock_timestamp() AS done FROM "${schema}".claims WHERE key = $1`;
  }

  async claim(key: string, ttlMs: number): Promise<boolean> {
    return isDone(await this.#ask(this.#claim, [digest(key), Math.min(ttlMs, LONGEST_TTL_MS)]));
  }

  async release(key: string): Promise<boolean> {
    return isDone(await this.#ask(this.#release, [digest(key)]));
  }

  async has(key: string): Promise<boolean> {
    return isDone(await this.#ask(this.#has, [digest(key)]));
  }

  async #ask(text: string, values: unknown[], attempts = 5): Promise<Row[]> {
    try {
      return await this.query(text, values);
    } catch (error) {
      const again = error instanceof PostgresError && error.sqlState === SERIALIZATION_FAILURE;
      if (!again || attempts === 1) throw error;
      return this.#ask(text, values, attempts - 1);
    }
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function isDone([row]: Row[]): boolean {
  return row?.['done'] === true;
}
