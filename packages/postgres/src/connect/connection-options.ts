import {
  type Duration,
  type OptionRule,
  type OptionSchema,
  optionRules,
  parseOptions,
  wrongOption,
} from '@toolwright/core/options';
import type { ConnectionOptions } from 'node:tls';
import { readUrl } from '@toolwright/json';

/** Where the tables are, and how to get there. Exactly one of `url`, `pool` and `pglite` is needed. */
export interface PostgresConnectionOptions {
  /**
   * The address of the database: `postgres://user:password@host:5432/database`. Characters such as `@`, `/` and
   * `#` in the password must be percent-encoded.
   */
  url?: string;
  /**
   * A `Pool` of `pg` that the application has already. It stays open when the stores close. If nobody listens to its errors,
   * the stores do: an idle connection that breaks would end the process, and the pool replaces it.
   */
  pool?: PostgresPool;
  /** A `PGlite`, for development and tests. It stays open when the stores close. */
  pglite?: PgliteClient;
  /** How to encrypt connections to `url`: the options of `node:tls`, or `true`. Default: what the URL says. */
  ssl?: boolean | ConnectionOptions;
  /** How many connections to `url` may be open. Default 5. */
  connections?: number;
  /** The schema that holds the tables. Default `toolwright`. */
  schema?: string;
  /** `false`: the tables are made by somebody else, with the text of `migrationSql()`. Default `true`. */
  migrate?: boolean;
  /** How long a statement may take. Default 1 second. More than 0, at most a day. */
  timeout?: Duration;
}

const { anyObject, driverTimeout, either, flag, objectWith, positiveCount, secret } = optionRules;

/** Shorter than the 63 bytes of PostgreSQL, because names of ours are made with it. */
const schemaName: OptionRule = {
  expected: 'a name of at most 48 lower-case letters, digits and underscores',
  accepts: (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(value),
};

export const address: OptionRule = secret({
  expected: 'a URL such as postgres://user:password@host:5432/database, with a percent-encoded password',
  accepts: isAddress,
});

const connectable = objectWith('a Pool of pg, not a Client', 'connect');

/** A client of `pg` connects, too, and only once: Postgres would seem to be away for ever. */
const poolRule: OptionRule = {
  ...connectable,
  accepts: (value) => connectable.accepts(value) && !('getTypeParser' in (value as object)),
};

/** The options that every way into this package shares. */
export const connectionOptions = {
  url: address,
  pool: poolRule,
  pglite: objectWith('a PGlite', 'query', 'exec', 'transaction', 'listen'),
  ssl: either(flag, anyObject),
  connections: { ...positiveCount, default: 5 },
  schema: { ...schemaName, default: 'toolwright' },
  migrate: { ...flag, default: true },
  timeout: { ...driverTimeout, default: 1_000 },
} satisfies OptionSchema<PostgresConnectionOptions>;

/**
 * A password that is not encoded moves the ends of the other parts. Then a piece of it would be taken for the host,
 * and be shown in errors. An `@` after the host, or a fragment, gives such a URL away.
 */
function isAddress(value: unknown): boolean {
  const url = typeof value === 'string' ? readUrl(value) : undefined;
  if (url === undefined) return false;
  const { protocol, pathname, search, hash } = url;
  return /^postgres(ql)?:$/.test(protocol) && hash === '' && !`${pathname}${search}`.includes('@');
}

/** @throws {ConfigurationError} when the options are wrong, or name none or several databases */
export function parseConnection<
  Options extends PostgresConnectionOptions,
  Schema extends OptionSchema<Options>,
>(owner: string, schema: Schema, options: Options) {
  const parsed = parseOptions(owner, schema, options);
  const named = (['url', 'pool', 'pglite'] as const).filter((name) => options[name] !== undefined);
  if (named.length === 1) return parsed;
  const message =
    named.length === 0
      ? `${owner} needs one of the options "url", "pool" and "pglite".${unsetPlace(options)}`
      : `${owner} has ${named.map((name) => `"${name}"`).join(' and ')}, but takes one database.`;
  throw wrongOption(message, 'Say where the database is, in one way.');
}

/** An option that reads an unset variable of the environment is there, and `undefined`. */
function unsetPlace(options: PostgresConnectionOptions): string {
  const name = (['url', 'pool', 'pglite'] as const).find((place) => place in options);
  return name ? ` "${name}" is undefined.` : '';
}

/**
 * One connection listens all the time. A pool of one would have none left for anything else, and would only wait.
 *
 * @throws {ConfigurationError}
 */
export function checkConnections(
  owner: string,
  { connections, pool, listenUrl }: PostgresConnectionOptions & { listenUrl?: string },
): void {
  const most = pool ? pool.options?.max : connections;
  if (most !== 1 || listenUrl !== undefined) return;
  throw wrongOption(
    `${owner} needs at least 2 connections, because one of them listens all the time.`,
    pool ? 'Raise the `max` of the pool, or set "listenUrl".' : 'Raise "connections", or set "listenUrl".',
  );
}

/**
 * A connection of `pg`. These are the parts that are used here. The types of `pg` are not, so that any version of
 * them fits.
 */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ rows: unknown[] }>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parsers of `pg` have types of their own
  getTypeParser?(oid: number, format?: any): any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each event has arguments of its own
  on(event: any, listener: (...values: any[]) => void): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  removeListener(event: any, listener: (...values: any[]) => void): unknown;
}

/** A statement for a connection of `pg`, and how to read the values of its answer. */
export interface PostgresQuery {
  text: string;
  values?: unknown[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  types: any;
}

/** Finds the function that reads values of a type. */
export interface PostgresTypes {
  getTypeParser(oid: number, format?: string): (text: string) => unknown;
}

/** A connection that a pool has lent. */
export interface PostgresPoolClient extends PostgresClient {
  release(destroy?: boolean): void;
}

/** A `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresPoolClient>;
  /** The application has ended the pool, and waits until all connections are given back. */
  readonly ending?: boolean;
  /** How many connections are open. */
  readonly totalCount?: number;
  readonly options?: { readonly max?: number | undefined };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  on?(event: any, listener: (...values: any[]) => void): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  listenerCount?(event: any): number;
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
