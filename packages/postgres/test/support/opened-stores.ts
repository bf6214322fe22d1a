import type { ServerStores } from '@toolwright/core/ports';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '../../src/index.js';
import { testPorts } from './test-ports.js';

/** The stores of a database on a server: it has every port. */
export type AllStores = PostgresStores &
  Required<Pick<ServerStores, 'rateLimiter' | 'leases' | 'events' | 'sessions' | 'cache'>>;

/** Opens stores, and closes them when the test is over. */
export class OpenedStores {
  readonly #opened: PostgresStores[] = [];

  async open(options: PostgresStoresOptions, ports = testPorts()): Promise<AllStores> {
    const stores = postgresStores({ timeout: 60_000, ...options });
    this.#opened.push(stores);
    await stores.open(ports);
    return stores as AllStores;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((stores) => stores.close()));
  }
}
