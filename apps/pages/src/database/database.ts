/** Runs SQL with `$1`-style parameters. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The little of a database that the page store needs. Embedded and server Postgres take the same SQL, so one store
 * serves both.
 */
export interface Database extends Queries {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Thrown when the database cannot be used at all; the message tells the operator what to do. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}
