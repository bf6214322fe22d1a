/**
 * A connection of `pg`. These are the parts that are used here. The types of `pg` are not, so that any version of
 * them fits.
 */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each event has arguments of its own
  on(event: any, listener: (...values: any[]) => void): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  removeListener(event: any, listener: (...values: any[]) => void): unknown;
}

/** A connection that a pool has lent. */
export interface PostgresPoolClient extends PostgresClient {
  release(destroy?: boolean): void;
}

/** A `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresPoolClient>;
}

/** What a `PGlite` lends to a transaction. */
export interface PgliteTransaction {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A `PGlite`: Postgres within this process. */
export interface PgliteClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  exec(sql: string): Promise<unknown>;
  transaction<T>(work: (transaction: PgliteTransaction) => Promise<T>): Promise<T>;
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>;
}
