/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement. */
export type Query = (text: string, values?: unknown[]) => Promise<Row[]>;

/** One connection of its own, which hears notifications. */
export interface DatabaseSession {
  /** @throws {PostgresError} */
  query(text: string, values?: unknown[]): Promise<Row[]>;
  /** Calls `hear` with the payload of every notification on the channel. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>;
  /** True when something between us and Postgres hands out its connections, as PgBouncer does. */
  isPooled(): Promise<boolean>;
  end(): void;
}

/** The database, whichever way the application has named it. */
export interface Database {
  /**
   * Runs one statement on any connection.
   *
   * @param ms how long it may take; the default is the option `timeout`
   * @throws {PostgresError}
   */
  query(text: string, values?: unknown[], ms?: number): Promise<Row[]>;
  /**
   * Runs several statements on one connection, all of them or none. Other processes see them when the promise
   * resolves.
   *
   * @throws {PostgresError}
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Runs a text of several statements that begins and ends its own transaction.
   *
   * @param ms how long it may take; the default is a minute, as for a migration
   * @returns the rows of all statements, one after the other
   */
  script(sql: string, ms?: number): Promise<Row[]>;
  /**
   * Opens a connection of its own.
   *
   * @param onLost called once when the connection ends although nobody has ended it
   */
  session(onLost: (error: unknown) => void): Promise<DatabaseSession>;
  /** Ends what this object has opened. A pool of the application stays open. */
  close(): Promise<void>;
}

/** How long a migration may take; another release may be at it. */
export const SCRIPT_MS = 60_000;
