import { Pool } from 'pg';
import { UnreliableLink, ManualClock } from '@toolwright/testing';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { HeardEvents } from './support/heard-events.js';
import { testPorts, type TestPorts } from './support/test-ports.js';

/** Longer than any pause before the next attempt. */
const RETRY_MS = 10_000;
/** Deadlines of these tests end when the test says so, not while the machine is busy. */
const TIMEOUT_MS = 60_000;
const CHECK_MS = 5_000;

const away = { code: 'TW_POSTGRES_UNAVAILABLE' };
const ups = (stores: PostgresStores) => stores.health().map(({ up }) => up);

describePostgres('when Postgres is away', (postgres) => {
  const opened: PostgresStores[] = [];
  const links: UnreliableLink[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    for (const link of links.splice(0)) await link.close();
  });

  async function open(
    ports: TestPorts,
    options: Partial<PostgresStoresOptions> = {},
  ): Promise<PostgresStores> {
    const stores = postgresStores({ url: postgres.server.url, timeout: TIMEOUT_MS, ...options });
    opened.push(stores);
    await stores.open(ports);
    return stores;
  }

  /** Gives up what hangs, and notices that the connection which listens is silent. */
  async function noticeSilence(clock: ManualClock, ports: TestPorts, stores: PostgresStores): Promise<void> {
    const claim = stores.claims.claim('while nobody answers', 1_000);
    clock.advance(TIMEOUT_MS);
    await expect(claim).rejects.toMatchObject(away);
    clock.advance(TIMEOUT_MS);
    await ports.logged('Postgres is away', 2);
    expect(ups(stores)).toEqual([false, false]);
  }

  it('a restart ends nothing: claims and events go on, and listeners hear that events were missed', async () => {
    const schema = postgres.newSchema();
    const [here, there] = [testPorts(), testPorts()];
    const [one, two] = [await open(here, { schema }), await open(there, { schema })];
    const [heardByOne, heardByTwo] = [new HeardEvents(one.bus), new HeardEvents(two.bus)];
    await one.claims.claim('kept', 600_000);

    await postgres.server.halt();
    await here.logged('Postgres is away');
    await expect(one.claims.claim('new', 600_000)).rejects.toMatchObject(away);
    expect(ups(one)).toEqual([false, false]);
    await one.bus.publish({ type: 'toolsListChanged' });
    expect(heardByOne.all).toEqual([{ type: 'toolsListChanged' }]);

    await postgres.server.launch();
    await here.logged('Postgres answers again', 2);
    await there.logged('Postgres answers again');
    await heardByOne.type('eventsMissed');
    await heardByTwo.type('eventsMissed');
    expect(ups(one)).toEqual([true, true]);
    expect(await one.claims.claim('kept', 600_000)).toBe(false);
    expect(await two.claims.claim('new', 600_000)).toBe(true);
    await two.bus.publish({ type: 'promptsListChanged' });
    await heardByOne.type('promptsListChanged');
  });

  it('a restart does not end a process that has lent its pool, and the pool goes on', async () => {
    const pool = new Pool({ connectionString: postgres.server.url });
    const ports = testPorts();
    const stores = await open(ports, { url: undefined, pool, schema: postgres.newSchema() });
    const many = ['a', 'b', 'c', 'd'].map(async (key) => stores.claims.claim(key, 600_000));
    await Promise.all(many);
    expect(pool.idleCount).toBeGreaterThan(1);
    await postgres.server.halt();
    await ports.logged('Postgres is away');
    await postgres.server.launch();
    await ports.logged('Postgres answers again');
    expect(await stores.claims.claim('a', 1_000)).toBe(false);
    await stores.close();
    await pool.end();
  });

  it('an application that ends its pool before the stores waits only until they look again', async () => {
    const pool = new Pool({ connectionString: postgres.server.url });
    const ports = testPorts();
    const schema = postgres.newSchema();
    const stores = await open(ports, { url: undefined, pool, schema, checkInterval: 20 });
    await pool.end();
    expect(ports.lines.join()).toContain('the application has ended the pool');
    await stores.close();
  });

  it('a pool whose connections are all in use is named, and not Postgres alone', async () => {
    const clock = new ManualClock();
    const pool = new Pool({ connectionString: postgres.server.url, max: 2 });
    const stores = await open(testPorts(clock), { url: undefined, pool, schema: postgres.newSchema() });
    const kept = await pool.connect();
    const claim = stores.claims.claim('a', 1_000);
    clock.advance(TIMEOUT_MS);
    await expect(claim).rejects.toThrow('All 2 connections of the pool are in use.');
    kept.release();
    await stores.close();
    await pool.end();
  });

  it('a database whose encoding lacks characters is an error at boot', async () => {
    await postgres.sql(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const url = postgres.server.urlOf('tester', 'latin');
    const opening = postgresStores({ url, timeout: TIMEOUT_MS }).open(testPorts());
    await expect(opening).rejects.toThrow(/encoding LATIN1[^]*Use one with UTF8/);
  });

  it('a server boots without it, and hears of it later', async () => {
    const ports = testPorts();
    await postgres.server.halt();
    const stores = await open(ports, { schema: postgres.newSchema() });
    const heard = new HeardEvents(stores.bus);
    expect(ups(stores)).toEqual([false, false]);
    await postgres.server.launch();
    await ports.logged('Postgres answers again', 2);
    await heard.type('eventsMissed');
    expect(await stores.claims.claim('a', 1_000)).toBe(true);
  });

  it('a Postgres that takes no writes is away until it takes them again', async () => {
    const clock = new ManualClock();
    const ports = testPorts(clock);
    const stores = await open(ports, { schema: postgres.newSchema(), checkInterval: CHECK_MS });
    const readOnly = async (value: string) => {
      await postgres.sql(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await postgres.sql('SELECT pg_reload_conf()');
      for (let is = ''; is !== value;)
        is = (await postgres.sql('SHOW transaction_read_only'))[0]!['transaction_read_only'] as string;
    };
    await readOnly('on');
    try {
      clock.advance(CHECK_MS);
      await ports.logged('Postgres is away');
      expect(stores.health()[0]).toMatchObject({ store: 'postgres', up: false });
      await expect(stores.claims.claim('a', 1_000)).rejects.toMatchObject(away);
    } finally {
      await readOnly('off');
    }
    clock.advance(RETRY_MS);
    await ports.logged('Postgres answers again');
    expect(await stores.claims.claim('a', 1_000)).toBe(true);
  });

  it('a Postgres that hangs holds a claim for its deadline, and the next ones not at all', async () => {
    const clock = new ManualClock();
    const ports = testPorts(clock);
    const stores = await open(ports, {
      schema: postgres.newSchema(),
      timeout: TIMEOUT_MS,
      checkInterval: CHECK_MS,
    });
    const heard = new HeardEvents(stores.bus);
    const since = clock.now();
    expect(stores.health()).toEqual([
      { store: 'postgres', up: true, since },
      { store: 'postgres bus', up: true, since },
    ]);

    postgres.server.pause();
    try {
      await noticeSilence(clock, ports, stores);
      await expect(stores.claims.claim('next', 1_000)).rejects.toMatchObject(away);
      await expect(stores.claims.release('next')).rejects.toMatchObject(away);
      await expect(stores.claims.has!('next')).rejects.toMatchObject(away);
      expect(stores.health()[0]!.since).toBe(since + TIMEOUT_MS);
      await stores.bus.publish({ type: 'toolsListChanged' });
      expect(heard.all).toEqual([{ type: 'toolsListChanged' }]);
    } finally {
      postgres.server.resume();
    }

    clock.advance(RETRY_MS);
    await ports.logged('Postgres answers again', 2);
    await heard.type('eventsMissed');
    expect(await stores.claims.claim('next', 1_000)).toBe(true);
  });

  it('a Postgres that hangs does not hold the end of a server', async () => {
    const clock = new ManualClock();
    const stores = await open(testPorts(clock), { schema: postgres.newSchema(), timeout: TIMEOUT_MS });
    postgres.server.pause();
    try {
      const claim = stores.claims.claim('a', 1_000);
      await stores.bus.publish({ type: 'toolsListChanged' });
      const closed = stores.close();
      clock.advance(TIMEOUT_MS);
      await expect(claim).rejects.toMatchObject(away);
      await closed;
    } finally {
      postgres.server.resume();
    }
    expect(stores.health()).toEqual([{ store: 'postgres', up: false, since: 0 }]);
  });

  it.each([
    ['before anybody has noticed', true],
    ['while it is known', false],
  ])(
    'a network that lost its way costs events that are sent %s, and the others hear so',
    async (_when, early) => {
      const schema = postgres.newSchema();
      const link = await UnreliableLink.to(postgres.server.port);
      links.push(link);
      const clock = new ManualClock();
      const ports = testPorts(clock);
      const url = `postgres://tester@127.0.0.1:${link.port}/postgres`;
      const cut = await open(ports, { url, schema, timeout: TIMEOUT_MS, checkInterval: CHECK_MS });
      const heard = new HeardEvents((await open(testPorts(), { schema })).bus);

      link.silence();
      if (early) await cut.bus.publish({ type: 'toolsListChanged' });
      await noticeSilence(clock, ports, cut);
      if (!early) await cut.bus.publish({ type: 'toolsListChanged' });
      link.mend();
      clock.advance(RETRY_MS);
      await ports.logged('Postgres answers again', 2);

      expect(await heard.count(1)).toEqual([{ type: 'eventsMissed' }]);
      await cut.bus.publish({ type: 'promptsListChanged' });
      expect(await heard.count(2)).toEqual([{ type: 'eventsMissed' }, { type: 'promptsListChanged' }]);
    },
  );
});
