import { type Duration, type OptionSchema, wrongOption } from '@toolwright/core/options';
import {
  type ClaimStore,
  type Clock,
  type EventBus,
  type RecordStore,
  type ServerStores,
  storeBounds,
  type StoreBounds,
  type StoreHealth,
  type StorePorts,
  systemClock,
} from '@toolwright/core/ports';
import { BusLine, PostgresEventBus } from './bus/postgres-event-bus.js';
import { PostgresClaimStore } from './claims/postgres-claim-store.js';
import {
  type PostgresConnectionOptions,
  address,
  checkConnections,
  connectionOptions,
  parseConnection,
} from './connect/connection-options.js';
import type { Database } from './connect/database.js';
import { type DatabaseSettings, openDatabase } from './connect/open-database.js';
import { PreparedDatabase } from './connect/prepared-database.js';
import { PostgresEventStore } from './events/postgres-event-store.js';
import { PostgresLeaseStore } from './leases/postgres-lease-store.js';
import { PostgresRateLimiter } from './limits/postgres-rate-limiter.js';
import { PostgresRecordStore } from './records/postgres-record-store.js';
import { PostgresResultCache } from './results/postgres-result-cache.js';
import { PostgresSessionRecords } from './sessions/postgres-session-records.js';
import { PostgresError } from './errors.js';
import { storeTables } from './schema/migrate.js';
import { type Statements, untilSerial } from './schema/sql.js';
import { Sweeper, expiredRows } from './schema/sweeper.js';
import { type SchemaSettings, prepareTables } from './schema/table-set.js';

export interface PostgresStoresOptions extends PostgresConnectionOptions, StoreBounds {
  /**
   * The address to listen at, when `url` or `pool` leads to a pooler such as PgBouncer: LISTEN needs a connection of
   * its own to Postgres itself.
   */
  listenUrl?: string;
  /**
   * How often each connection is asked whether it still answers. Default 5 seconds. More than 0, at most a
   * day.
   */
  checkInterval?: Duration;
}

const storesOptions = {
  ...connectionOptions,
  ...storeBounds,
  // PostgreSQL counts exactly where Redis is faster. A slow answer is worth a wait; one that hangs, only the first calls wait for.
  patience: { ...storeBounds.patience, default: 500 },
  listenUrl: address,
  checkInterval: { ...connectionOptions.timeout, default: 5_000 },
} satisfies OptionSchema<PostgresStoresOptions>;

/**
 * The stores that this package has. With `pglite`, they are claims, records and the bus: PGlite is within this process, and
 * so is what the server keeps without a store.
 */
export interface PostgresStores extends ServerStores {
  readonly claims: ClaimStore;
  readonly records: RecordStore;
  readonly bus: EventBus;
  open(ports: StorePorts): Promise<void>;
  close(): Promise<void>;
  health(): readonly StoreHealth[];
}

/**
 * The stores of a server in PostgreSQL: rate limits, concurrency slots, what was used (claims), the changes that every
 * process announces (bus), streams that clients can resume, sessions, cached results, and what packages keep (records).
 * While PostgreSQL is away, each fails at once, and the server does what `docs/postgres.md` says for it.
 *
 * @throws {ConfigurationError} when an option is wrong
 *
 * @example
 * const server = await createMcpServer({
 *   name: 'pages',
 *   version: '1.0.0',
 *   stores: [postgresStores({ url: process.env.DATABASE_URL })],
 *   secrets,
 * });
 */
export function postgresStores(given: PostgresStoresOptions): PostgresStores {
  const options = parseConnection('postgresStores', storesOptions, given);
  checkConnections('postgresStores', options);
  const bus = new PostgresEventBus();
  let stores: OpenStores | undefined;
  const database = statementsOf(() => stores?.prepared);
  const { schema } = options;
  const shared = options.pglite ? undefined : sharedStores(database, options, () => stores);
  return {
    ...shared,
    claims: new PostgresClaimStore(database, schema),
    records: new PostgresRecordStore(database, schema),
    bus,
    async open(ports) {
      const raised = () => shared?.events.empty();
      stores = await OpenStores.open({ ...options, clock: ports.clock, raised }, ports, bus);
      const problem = await stores.start();
      if (!problem) return;
      await stores.close();
      stores = undefined;
      throw wrongOption(problem.message, 'Correct the options of postgresStores.');
    },
    async close() {
      const [sent, released] = [shared?.events.close(), shared?.leases.close()];
      // A database that hangs must not hold the end of a server that has nothing to give back.
      if (sent) await sent;
      if (released) await released;
      await stores?.close();
      stores = undefined;
    },
    health: () => stores?.health ?? [{ store: 'postgres', up: false, since: 0 }],
  };
}

/** @param prepared `undefined` while the stores are not open */
function statementsOf(prepared: () => PreparedDatabase | undefined): Statements {
  const opened = () => {
    const database = prepared();
    if (database) return database;
    throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'The Postgres stores are not open.');
  };
  return {
    query: untilSerial(async (text, values) => opened().query(text, values)),
    script: async (sql) => opened().script(sql),
  };
}

type SharedOptions = Pick<
  ReturnType<typeof parseConnection<PostgresStoresOptions, typeof storesOptions>>,
  'schema' | keyof typeof storeBounds
>;

/** What the processes of a server count and keep together. */
function sharedStores(database: Statements, options: SharedOptions, opened: () => OpenStores | undefined) {
  const { schema, lease, patience, maxEvents, maxEventBytes, eventTtl, maxCachedBytes } = options;
  const route = {
    get clock() {
      return opened()?.clock ?? systemClock;
    },
    get isUp() {
      return opened()?.prepared.keeper.isUp === true;
    },
  };
  return {
    rateLimiter: new PostgresRateLimiter(database, { schema, patience }),
    leases: new PostgresLeaseStore(database, { schema, lease, patience, route }),
    events: new PostgresEventStore(database, { schema, maxEvents, maxEventBytes, eventTtl, route }),
    sessions: new PostgresSessionRecords(database, schema),
    cache: new PostgresResultCache(database, schema, maxCachedBytes),
  };
}

type OpenStoresSettings = DatabaseSettings &
  SchemaSettings & {
    readonly checkInterval: number;
    /** Is called when Postgres answers. */
    raised(): void;
  };

/** The tables whose rows expire, with their primary keys. */
const EXPIRING = {
  claims: 'key',
  events: 'id',
  records: 'room, id',
  sessions: 'key',
  limits: 'key',
  leases: 'key, member',
  stream_events: 'session, place',
  results: 'key',
};

/** The stores of a server that runs: their database, kept prepared, and their line to the other processes. */
class OpenStores {
  readonly prepared: PreparedDatabase;
  readonly #line: BusLine;
  readonly #sweeper: Sweeper;

  private constructor(
    private readonly database: Database,
    private readonly settings: OpenStoresSettings,
    ports: StorePorts,
    bus: PostgresEventBus,
  ) {
    const { schema, migrate, checkInterval, timeout, raised } = settings;
    this.prepared = new PreparedDatabase(database, ports, {
      name: 'postgres',
      checkInterval,
      timeout,
      raised,
      prepare: () => prepareTables(database, storeTables, { schema, migrate }),
    });
    this.#line = new BusLine(database, ports, {
      schema,
      checkInterval,
      deliver: (event) => bus.receive(event),
    });
    const tables = Object.entries(EXPIRING);
    this.#sweeper = new Sweeper(
      ports.clock,
      tables.map(([table, key]) => expiredRows(this.prepared, schema, table, key)),
    );
    bus.use(this.#line);
  }

  static async open(
    settings: OpenStoresSettings,
    ports: StorePorts,
    bus: PostgresEventBus,
  ): Promise<OpenStores> {
    return new OpenStores(await openDatabase(settings), settings, ports, bus);
  }

  /** @returns the error when Postgres refuses what the options ask for; none when it is merely away */
  async start(): Promise<PostgresError | undefined> {
    const problems = await Promise.all([this.prepared.keeper.start(), this.#line.keeper.start()]);
    this.#sweeper.start();
    return problems.find((problem) => problem !== undefined);
  }

  get clock(): Clock {
    return this.settings.clock;
  }

  get health(): readonly StoreHealth[] {
    return [this.prepared.keeper.health, this.#line.keeper.health];
  }

  async close(): Promise<void> {
    this.#sweeper.stop();
    this.prepared.keeper.stop();
    await this.#line.close();
    await this.database.close();
  }
}
