import { createHash } from 'node:crypto';
import type { Query, Row } from '../connect/database.js';
import { PostgresError } from '../errors.js';

/** What the stores ask of the database. While Postgres is away, questions fail at once. */
export interface Statements {
  readonly query: Query;
  /** Runs a text of several statements, in one trip. It begins and ends its own transaction. */
  script(sql: string): Promise<Row[]>;
}

/** An interval of PostgreSQL has an end; this one is as good as none. */
const LONGEST_TTL_MS = 100 * 365 * 86_400_000;

/** How long something is kept, as PostgreSQL takes it. */
export function lifetime(ms = LONGEST_TTL_MS): number {
  return Math.min(ms, LONGEST_TTL_MS);
}

/** The time until which something is kept, by the clock of the database. @param ms milliseconds, as SQL */
export const until = (ms: string) => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** True for a row that is still kept. */
export const isKept = (row = '') => `${row && `${row}.`}expires_at > clock_timestamp()`;

/** Keys can be long and have any characters, and nobody who reads a table learns them. */
export function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

export function isDone([row]: Row[]): boolean {
  return row?.['done'] === true;
}

/** SQLSTATE where transactions are stricter than usual, and one of two at the same time has to start again. */
const SERIALIZATION_FAILURE = '40001';
const MOST_ATTEMPTS = 20;

/** Asks again where the database makes one of two transactions start again. */
export function untilSerial(query: Query): Query {
  const ask = async (text: string, values: unknown[] | undefined, attempts: number): Promise<Row[]> => {
    try {
      return await query(text, values);
    } catch (error) {
      const again = error instanceof PostgresError && error.sqlState === SERIALIZATION_FAILURE;
      if (!again || attempts === 1) throw error;
      return ask(text, values, attempts - 1);
    }
  };
  return (text, values) => ask(text, values, MOST_ATTEMPTS);
}
