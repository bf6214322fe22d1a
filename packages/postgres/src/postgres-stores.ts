import type { Duration, OptionSchema } from '@toolwright/core/options';
import type {
  ClaimStore,
  EventBus,
  RecordStore,
  ServerStores,
  StoreHealth,
  StorePorts,
} from '@toolwright/core/ports';
import { wrongOption } from '@toolwright/core/options';
import { BusLine, PostgresEventBus } from './bus/postgres-event-bus.js';
import { PostgresClaimStore } from './claims/postgres-claim-store.js';
import {
  type PostgresConnectionOptions,
  address,
  checkConnections,
  connectionOptions,
  parseConnection,
} from './connect/connection-options.js';
import type { Database, Row } from './connect/database.js';
import { type DatabaseSettings, openDatabase } from './connect/open-database.js';
import { PreparedDatabase } from './connect/prepared-database.js';
import { PostgresRecordStore } from './records/postgres-record-store.js';
import { PostgresError } from './errors.js';
import { storeTables } from './schema/migrate.js';
import { Sweeper, expiredRows } from './schema/sweeper.js';
import { type SchemaSettings, prepareTables } from './schema/table-set.js';

export interface PostgresStoresOptions extends PostgresConnectionOptions {
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
  listenUrl: address,
  checkInterval: { ...connectionOptions.timeout, default: 5_000 },
} satisfies OptionSchema<PostgresStoresOptions>;

/** The stores that this package has: claims, records and the bus. */
export interface PostgresStores extends ServerStores {
  readonly claims: ClaimStore;
  readonly records: RecordStore;
  readonly bus: EventBus;
  open(ports: StorePorts): Promise<void>;
  close(): Promise<void>;
  health(): readonly StoreHealth[];
}

/**
 * The stores of a server in PostgreSQL: what was used (claims), what packages keep (records), and the
 * changes that every process announces (bus).
 * Claims that cannot be asked fail, and the server refuses what needs them. Events reach the listeners of their own
 * process in any case; after a break all listeners hear that events may have been missed.
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
  const query: OpenStores['query'] = async (text, values) => {
    if (!stores) throw new PostgresError('TW_POSTGRES_UNAVAILABLE', 'The Postgres stores are not open.');
    return stores.query(text, values);
  };
  return {
    claims: new PostgresClaimStore(query, options.schema),
    records: new PostgresRecordStore(query, options.schema),
    bus,
    async open(ports) {
      stores = await OpenStores.open({ ...options, clock: ports.clock }, ports, bus);
      const problem = await stores.start();
      if (!problem) return;
      await stores.close();
      stores = undefined;
      throw wrongOption(problem.message, 'Correct the options of postgresStores.');
    },
    async close() {
      await stores?.close();
      stores = undefined;
    },
    health: () => stores?.health ?? [{ store: 'postgres', up: false, since: 0 }],
  };
}

type OpenStoresSettings = DatabaseSettings & SchemaSettings & { readonly checkInterval: number };

/** The stores of a server that runs: their database, kept prepared, and their line to the other processes. */
class OpenStores {
  readonly #prepared: PreparedDatabase;
  readonly #line: BusLine;
  readonly #sweeper: Sweeper;

  private constructor(
    private readonly database: Database,
    { schema, migrate, checkInterval }: OpenStoresSettings,
    ports: StorePorts,
    bus: PostgresEventBus,
  ) {
    this.#prepared = new PreparedDatabase(database, ports, {
      name: 'postgres',
      checkInterval,
      prepare: () => prepareTables(database, storeTables, { schema, migrate }),
    });
    this.#line = new BusLine(database, ports, {
      schema,
      checkInterval,
      deliver: (event) => bus.receive(event),
    });
    this.#sweeper = new Sweeper(ports.clock, [
      expiredRows(this.#prepared, schema, { table: 'claims', key: 'key' }),
      expiredRows(this.#prepared, schema, { table: 'events', key: 'id' }),
      expiredRows(this.#prepared, schema, { table: 'records', key: '(room, id)', columns: 'room, id' }),
    ]);
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
    const problems = await Promise.all([this.#prepared.keeper.start(), this.#line.keeper.start()]);
    this.#sweeper.start();
    return problems.find((problem) => problem !== undefined);
  }

  query(text: string, values: unknown[]): Promise<Row[]> {
    return this.#prepared.query(text, values);
  }

  get health(): readonly StoreHealth[] {
    return [this.#prepared.keeper.health, this.#line.keeper.health];
  }

  async close(): Promise<void> {
    this.#sweeper.stop();
    this.#prepared.keeper.stop();
    await this.#line.close();
    await this.database.close();
  }
}
