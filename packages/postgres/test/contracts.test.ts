import { PGlite } from '@electric-sql/pglite';
import {
  describeClaimStore,
  describeEventBus,
  describeEventStore,
  describeLeaseStore,
  describeRateLimiter,
  describeRecordStore,
  describeResultCache,
  describeSessionRecords,
} from '@toolwright/testing';
import { Pool } from 'pg';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '../src/index.js';
import { describePgBouncer, describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

type Query = (text: string, values?: unknown[]) => Promise<unknown>;

async function open(options: PostgresStoresOptions): Promise<PostgresStores> {
  const stores = postgresStores({ timeout: 60_000, ...options });
  await stores.open(testPorts());
  return stores;
}

/** Lets time pass for a table. The clock of the database cannot be set, but the rows can. */
const elapse = (query: Query, schema: string, table: string) => async (ms: number) =>
  void (await query(
    `UPDATE "${schema}".${table} SET expires_at = expires_at - $1 * interval '1 millisecond'`,
    [ms],
  ));

interface Way {
  options(): PostgresStoresOptions;
  query: Query;
}

function describeContracts(name: string, way: Way, schema: () => string): void {
  describeClaimStore(`The claim store ${name}`, async () => {
    const own = { ...way.options(), schema: schema() };
    const stores = await open(own);
    const close = () => stores.close();
    return { store: stores.claims, elapse: elapse(way.query, own.schema, 'claims'), close };
  });

  describeRecordStore(`The records ${name}`, async () => {
    const own = { ...way.options(), schema: schema() };
    const stores = await open(own);
    const close = () => stores.close();
    return { records: stores.records, elapse: elapse(way.query, own.schema, 'records'), close };
  });

  describeEventBus(`The event bus ${name}`, async () => {
    const own = { ...way.options(), schema: schema() };
    const [here, there] = [await open(own), await open(own)];
    const close = () => Promise.all([here.close(), there.close()]);
    return { bus: here.bus, peer: there.bus, close };
  });
}

/** What only a server of its own has: PGlite is within the process. */
function describeShared(name: string, way: Way, schema: () => string): void {
  /** Two processes on one empty schema. */
  async function pair() {
    const own = { ...way.options(), schema: schema() };
    const [mine, theirs] = await Promise.all([open(own), open(own)]);
    const close = () => Promise.all([mine.close(), theirs.close()]);
    return { mine, theirs, close, after: (table: string) => elapse(way.query, own.schema, table) };
  }

  describeRateLimiter(`The limiter ${name}`, async () => {
    const { mine, theirs, after, close } = await pair();
    return { limiter: mine.rateLimiter!, peer: theirs.rateLimiter!, elapse: after('limits'), close };
  });

  describeLeaseStore(`The leases ${name}`, async () => {
    const { mine, theirs, close } = await pair();
    return { store: mine.leases!, peer: theirs.leases!, close };
  });

  describeEventStore(`The event store ${name}`, async () => {
    const { mine, theirs, close } = await pair();
    return { store: mine.events!, peer: theirs.events!, close };
  });

  describeSessionRecords(`The session records ${name}`, async () => {
    const { mine, theirs, after, close } = await pair();
    return { records: mine.sessions!, peer: theirs.sessions!, elapse: after('sessions'), close };
  });

  describeResultCache(`The result cache ${name}`, async () => {
    const { mine, theirs, after, close } = await pair();
    return { cache: mine.cache!, peer: theirs.cache!, elapse: after('results'), close };
  });
}

describe('with PGlite', () => {
  const pglite = new PGlite(preparedPglite());
  let schemas = 0;
  afterAll(() => pglite.close());
  const query: Query = (text, values) => pglite.query(text, values);
  describeContracts('on PGlite', { options: () => ({ pglite }), query }, () => `schema_${++schemas}`);
});

describePostgres('with a server', (postgres) => {
  const { newSchema, sql: query } = postgres;
  const atAddress = { options: () => ({ url: postgres.server.url }), query };
  describeContracts('at an address', atAddress, newSchema);
  describeShared('at an address', atAddress, newSchema);

  describe('with a pool of the application', () => {
    let pool: Pool;
    // Its driver reads values in a way of its own.
    const types = { getTypeParser: () => (text: string) => ({ ofApp: text }) };
    beforeAll(() => (pool = new Pool({ connectionString: postgres.server.url, types: types as never })));
    afterAll(() => pool.end());
    describeContracts('on a pool', { options: () => ({ pool }), query }, newSchema);
    describeShared('on a pool', { options: () => ({ pool }), query }, newSchema);
  });

  describe('with an address of its own to listen at', () => {
    const options = () => ({ url: postgres.server.url, listenUrl: postgres.server.url });
    describeContracts('that listens elsewhere', { options, query }, newSchema);
  });

  describePgBouncer('with PgBouncer', postgres, (url) => {
    const options = () => ({ url: url(), listenUrl: postgres.server.url });
    describeContracts('behind PgBouncer', { options, query }, newSchema);
    describeShared('behind PgBouncer', { options, query }, newSchema);
  });
});
