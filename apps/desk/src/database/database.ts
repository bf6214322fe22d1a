/** Runs SQL with `$1`-style parameters. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** The little of a database that the desk needs. Embedded and server PostgreSQL take the same SQL. */
export interface Database extends Queries {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
