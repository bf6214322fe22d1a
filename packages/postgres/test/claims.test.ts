import { Client, Pool } from 'pg';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { ManualClock } from '@toolwright/testing';
import { testPorts } from './support/test-ports.js';

describePostgres('the claim store', (postgres) => {
  const opened = closedAfterEach<PostgresStores>();

  async function open(options: Partial<PostgresStoresOptions>, ports = testPorts()): Promise<PostgresStores> {
    const stores = postgresStores({
      ...(options.pool ? {} : { url: postgres.server.url }),
      timeout: 60_000,
      ...options,
    });
    opened.push(stores);
    await stores.open(ports);
    return stores;
  }

  it('goes by the clock of the database: the clocks of the processes may differ', async () => {
    const schema = postgres.newSchema();
    const ahead = new ManualClock();
    ahead.advance(86_400_000);
    const [one, two] = [
      await open({ schema }, testPorts(new ManualClock())),
      await open({ schema }, testPorts(ahead)),
    ];
    expect(await one.claims.claim('a', 600_000)).toBe(true);
    expect(await two.claims.claim('a', 600_000)).toBe(false);
    expect(await two.claims.release('a')).toBe(true);
  });

  it('stores no key in the clear, and takes keys of any length and any characters', async () => {
    const schema = postgres.newSchema();
    const { claims } = await open({ schema });
    const keys = ['request-state:secret', 'x'.repeat(100_000), 'with \0 inside'];
    for (const key of keys) expect(await claims.claim(key, 600_000)).toBe(true);
    for (const key of keys) expect(await claims.claim(key, 600_000)).toBe(false);
    const rows = await postgres.sql(`SELECT key FROM ${schema}.claims`);
    expect(rows.map(({ key }) => key)).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
  });

  it('takes a claim that never ends', async () => {
    const { claims } = await open({ schema: postgres.newSchema() });
    expect(await claims.claim('a', Infinity)).toBe(true);
    expect(await claims.claim('a', Infinity)).toBe(false);
  });

  it('gives a key to one of many processes, also where transactions are serializable', async () => {
    const schema = postgres.newSchema();
    const url = `${postgres.server.url}?options=-c%20default_transaction_isolation%3Dserializable`;
    const stores = [await open({ schema, url }), await open({ schema, url }), await open({ schema })];
    for (const key of ['a', 'b', 'c', 'd']) {
      const claims = stores.flatMap(({ claims }) => [1, 2, 3, 4].map(async () => claims.claim(key, 600_000)));
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    }
  });

  it('removes rows that have expired, and no others', async () => {
    const schema = postgres.newSchema();
    const clock = new ManualClock();
    const { claims } = await open({ schema }, testPorts(clock));
    await claims.claim('kept', 600_000);
    await postgres.sql(
      `INSERT INTO ${schema}.claims SELECT 'old' || n, now() - interval '1 s' FROM generate_series(1, 2500) n`,
    );
    await postgres.sql(`INSERT INTO ${schema}.events VALUES ('old', '{}', now() - interval '1 s')`);
    clock.advance(90_000);
    const left = `SELECT (SELECT count(*)::int FROM ${schema}.claims) + (SELECT count(*)::int FROM ${schema}.events) AS rows`;
    while ((await postgres.sql(left))[0]!['rows'] > 1);
    expect(await claims.claim('kept', 600_000)).toBe(false);
  });

  it('does not wait longer than its deadline for a pool that is used up, and gives back what comes late', async () => {
    const clock = new ManualClock();
    const pool = new Pool({ connectionString: postgres.server.url, max: 2 });
    const stores = await open({ pool, schema: postgres.newSchema() }, testPorts(clock));
    const taken = await pool.connect();
    const claim = stores.claims.claim('a', 1_000);
    // The deadline has five slices, and one that passes all at once does not count.
    for (let slice = 0; slice < 5; slice++) clock.advance(12_000);
    await expect(claim).rejects.toMatchObject({ code: 'TW_POSTGRES_UNAVAILABLE' });
    taken.release();
    const again = await pool.connect();
    again.release();
    await stores.close();
    await pool.end();
  });

  it('lets Postgres itself end a statement that takes too long', async () => {
    const schema = postgres.newSchema();
    // The clock of the process stands still, so only Postgres can end it.
    const { claims } = await open({ schema, timeout: 2_000 }, testPorts(new ManualClock()));
    const other = new Client(postgres.server.url);
    await other.connect();
    await other.query(`BEGIN; LOCK TABLE ${schema}.claims IN ACCESS EXCLUSIVE MODE`);
    await expect(claims.claim('a', 1_000)).rejects.toMatchObject({
      code: 'TW_POSTGRES_UNAVAILABLE',
      sqlState: '57014',
    });
    await other.end();
  });

  it('fails before it is open, and after it is closed', async () => {
    const stores = postgresStores({ url: postgres.server.url, schema: postgres.newSchema() });
    const closed = { code: 'TW_POSTGRES_UNAVAILABLE', message: 'The Postgres stores are not open.' };
    await expect(stores.claims.claim('a', 1_000)).rejects.toMatchObject(closed);
    await stores.open(testPorts());
    expect(await stores.claims.claim('a', 1_000)).toBe(true);
    await stores.close();
    await expect(stores.claims.claim('a', 1_000)).rejects.toMatchObject(closed);
  });
});
