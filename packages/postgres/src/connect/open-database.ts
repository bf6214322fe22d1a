import type { Clock } from '@toolwright/core/ports';
import type { Client, ClientBase, ClientConfig, Pool, QueryConfig } from 'pg';
import { toPostgresError } from '../errors.js';
import { inTime, PooledSession, PoolDatabase, type DatabasePoolSettings } from './pool-database.js';
import type { PostgresConnectionOptions, PostgresPool } from './connection-options.js';
import type { Database, DatabaseSession } from './database.js';
import { PgliteDatabase } from './pglite-database.js';

export interface DatabaseSettings extends PostgresConnectionOptions {
  readonly clock: Clock;
  readonly timeout: number;
  readonly connections?: number;
  /** Where to listen, if not where the rest is asked. */
  readonly listenUrl?: string | undefined;
}

/** Opens no connection yet, so it does not fail while Postgres is away. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { url, pool, pglite, listenUrl } = settings;
  if (pglite) return new PgliteDatabase(pglite);
  if (pool) hearErrors(pool);
  const lent = pool ? new PoolDatabase(pool, settings) : await ownPool(url!, settings);
  return listenUrl === undefined
    ? lent
    : new ListeningElsewhere(lent, await import('pg'), listenUrl, settings);
}

/** The driver is loaded here, at first need: servers that pass a pool or PGlite need not have two of it. */
async function ownPool(url: string, settings: DatabaseSettings): Promise<Database> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...clientConfig(url, settings),
    max: settings.connections ?? 5,
    allowExitOnIdle: true,
    // The pool waits for the promise, although its types do not say so.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client) => prepareConnection(client, settings.timeout),
  });
  return new OwnPool(pool, settings);
}

/**
 * Lets Postgres itself end what takes too long, and read a backslash in a text as what it is. A pooler is not asked to: the
 * settings would stay on a connection that belongs to others, too. It tells its clients a process id of its own making.
 *
 * The pool counts the connection while this runs, so it must not wait for ever on a link that has fallen silent.
 */
async function prepareConnection(client: ClientBase, ms: number): Promise<void> {
  const { processID } = client as ClientBase & { processID: number };
  await client.query({
    text: `SELECT set_config('statement_timeout', $1, false), set_config('standard_conforming_strings', 'on', false)
     WHERE pg_backend_pid() = $2`,
    values: [String(Math.ceil(ms)), processID],
    query_timeout: ms,
  } as QueryConfig);
}

export function clientConfig(url: string, { ssl, timeout }: DatabaseSettings): ClientConfig {
  return {
    connectionString: url,
    ...(ssl !== undefined && { ssl }),
    keepAlive: true,
    connectionTimeoutMillis: timeout,
    application_name: 'toolwright',
  };
}

/** A pool replaces an idle connection that breaks. Unheard, the event would end the process. */
function hearErrors(pool: PostgresPool): void {
  if (!pool.listenerCount?.('error')) pool.on?.('error', () => {});
}

/** A pool that ends with the stores. */
class OwnPool extends PoolDatabase {
  readonly #clients = new Set<Client>();

  constructor(
    private readonly own: Pool,
    private readonly last: DatabasePoolSettings,
  ) {
    super(own, last);
    hearErrors(own);
    own.on('connect', (client) => this.#clients.add(client));
    own.on('remove', (client) => this.#clients.delete(client));
  }

  override async close(): Promise<void> {
    const { clock, timeout: ms } = this.last;
    // A connection that comes back now says goodbye, and a link that has fallen silent does not answer that.
    await inTime(this.own.end(), { clock, ms, giveUp: () => '' }).catch(() => {});
    // A Postgres that hangs does not answer the farewell. The process need not wait for it.
    this.#clients.forEach(letGo);
  }
}

/** Asks one address, and listens at another one. */
class ListeningElsewhere implements Database {
  readonly query: Database['query'];
  readonly transaction: Database['transaction'];
  readonly script: Database['script'];
  readonly close: Database['close'];

  constructor(
    database: Database,
    private readonly driver: typeof import('pg'),
    private readonly url: string,
    private readonly settings: DatabaseSettings,
  ) {
    this.query = database.query.bind(database);
    this.transaction = database.transaction.bind(database);
    this.script = database.script.bind(database);
    this.close = database.close.bind(database);
  }

  async session(onLost: (error: unknown) => void): Promise<DatabaseSession> {
    const client = new this.driver.Client(clientConfig(this.url, this.settings));
    // Errors of an attempt to connect come twice: here, and to the one who waits.
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      throw toPostgresError(error);
    }
    return new PooledSession(client, { ...this.settings, onLost, end: () => endClient(client) });
  }
}

function endClient(client: Client): void {
  client.end().catch(() => {});
  letGo(client);
}

/** From now on the connection does not keep the process alive. The types of `pg` lack the method. */
function letGo(client: Client): void {
  (client as Client & { unref(): void }).unref();
}
