import type { StoreHealth, StorePorts } from '@toolwright/core';
import { BusLine } from './bus/bus-line.js';
import type { PostgresEventBus } from './bus/postgres-event-bus.js';
import type { Database, Row } from './connect/database.js';
import { openDatabase, type DatabaseSettings } from './connect/open-database.js';
import { PreparedDatabase } from './connect/prepared-database.js';
import type { PostgresError } from './errors.js';
import { storeTables } from './schema/migrations.js';
import { expiredRows } from './schema/expired-rows.js';
import { Sweeper } from './schema/sweeper.js';
import { prepareTables, type SchemaSettings } from './schema/table-set.js';

export type OpenStoresSettings = DatabaseSettings & SchemaSettings & { readonly checkMs: number };

/** The stores of a server that runs: their database, kept prepared, and their line to the other processes. */
export class OpenStores {
  readonly #prepared: PreparedDatabase;
  readonly #line: BusLine;
  readonly #sweeper: Sweeper;

  private constructor(
    private readonly database: Database,
    { schema, migrate, checkMs }: OpenStoresSettings,
    ports: StorePorts,
    bus: PostgresEventBus,
  ) {
    this.#prepared = new PreparedDatabase(database, ports, {
      name: 'postgres',
      checkMs,
      prepare: () => prepareTables(database, storeTables, { schema, migrate }),
    });
    this.#line = new BusLine(database, ports, { schema, checkMs, deliver: (event) => bus.receive(event) });
    this.#sweeper = new Sweeper(ports.clock, [
      expiredRows(this.#prepared, schema, { table: 'claims', key: 'key' }),
      expiredRows(this.#prepared, schema, { table: 'events', key: 'id' }),
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
    const refusals = await Promise.all([this.#prepared.keeper.start(), this.#line.keeper.start()]);
    this.#sweeper.start();
    return refusals.find((refusal) => refusal !== undefined);
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
