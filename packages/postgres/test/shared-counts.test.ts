import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock, type Clock } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { Client, Pool } from 'pg';
import { describePgBouncer, describePostgres, type TestPostgres } from './support/describe-postgres.js';
import { type AllStores, OpenedStores } from './support/opened-stores.js';
import { testPorts } from './support/test-ports.js';

const DAY_MS = 86_400_000;
const minute = (points: number) => ({ points, perMs: 60_000 });
const oneOf = (key: string) => [{ key, max: 1 }];

function describeCounts(postgres: TestPostgres, url: () => string): void {
  const opened = new OpenedStores();
  afterEach(() => opened.close());
  const open = (schema: string, options = {}, clock?: Clock): Promise<AllStores> =>
    opened.open({ url: url(), listenUrl: postgres.server.url, schema, ...options }, testPorts(clock));

  it('a plan of 30 a minute lets exactly 30 pass at two replicas, whatever their clocks say', async () => {
    const schema = postgres.newSchema();
    const ahead = { ...systemClock, now: () => Date.now() + DAY_MS };
    const replicas = [await open(schema), await open(schema, {}, ahead)];
    const asked = Array.from({ length: 90 }, async (_, index) =>
      replicas[index % 2]!.rateLimiter.consume('company', 1, minute(30)),
    );
    const allowed = (await Promise.all(asked)).filter((each) => each.allowed);
    expect(allowed).toHaveLength(30);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(30);
  });

  it('a limit is shown to operators with the points of all replicas', async () => {
    const schema = postgres.newSchema();
    const [one, two] = [await open(schema), await open(schema)];
    await two.rateLimiter.consume('tool greet ann', 2, minute(5));
    await one.rateLimiter.consume('tool greet ann', 1, minute(5));
    const [use] = [...one.rateLimiter.uses!()];
    expect(use).toMatchObject({ key: 'tool greet ann', rule: minute(5), used: 3 });
    one.rateLimiter.reset!('tool greet ann', minute(5));
    expect([...one.rateLimiter.uses!()]).toEqual([]);
  });

  it('calls that use every store at once do not wait for each other for ever, with one connection for all', async () => {
    const schema = postgres.newSchema();
    const pool = new Pool({ connectionString: url(), max: 1 });
    const stores = await open(schema, { url: undefined, pool });
    const all = Array.from({ length: 60 }, async (_, index) => {
      const key = `caller ${index % 3}`;
      await stores.rateLimiter.consume(key, 1, minute(1_000));
      const release = await stores.leases.acquire([
        { key, max: 100 },
        { key: 'all', max: 100 },
      ]);
      await stores.events.append(key, 'a', { id: `a_${index}`, text: '' });
      await stores.cache.set(key, index, 60_000);
      await stores.sessions.set(key, { subscriptions: [] }, 60_000);
      await release!();
    });
    await Promise.all(all);
    expect(await stores.leases.acquire([{ key: 'all', max: 1 }])).toBeDefined();
    await stores.close();
    await pool.end();
  });

  it('the slot of a killed process comes back', async () => {
    const schema = postgres.newSchema();
    const other = await open(schema);
    const fixture = join(__dirname, 'fixtures/hold-lease.cjs');
    const holder = spawn(process.execPath, [fixture, postgres.server.url, schema, '400'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(await other.leases.acquire(oneOf('a'))).toBeUndefined();
    const exit = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exit;
    while (!(await other.leases.acquire(oneOf('a'))));
  });

  it('a slot is renewed while it is held, also when Postgres has lost it', async () => {
    const schema = postgres.newSchema();
    const clock = new ManualClock();
    const [holder, other] = [await open(schema, { lease: 30_000 }, clock), await open(schema)];
    const releases = await Promise.all(
      Array.from({ length: 250 }, async (_, index) => holder.leases.acquire(oneOf(`${index}`))),
    );
    await postgres.sql(`DELETE FROM ${schema}.leases`);
    clock.advance(10_000);
    while ((await postgres.sql(`SELECT count(*)::int AS n FROM ${schema}.leases`))[0]!['n'] < 250);
    expect(await other.leases.acquire(oneOf('249'))).toBeUndefined();
    await Promise.all(releases.map(async (release) => release!()));
    expect(await postgres.sql(`SELECT FROM ${schema}.leases`)).toEqual([]);
  });
}

describePostgres('limits and slots', (postgres) => {
  describe('of processes at an address', () => describeCounts(postgres, () => postgres.server.url));
  describePgBouncer('of processes behind PgBouncer', postgres, (url) => describeCounts(postgres, url));

  const opened = new OpenedStores();
  afterEach(() => opened.close());

  it('are exact where transactions are serializable', async () => {
    const schema = postgres.newSchema();
    const url = `${postgres.server.url}?options=-c%20default_transaction_isolation%3Dserializable`;
    const replicas = [await opened.open({ url, schema }), await opened.open({ url, schema })];
    const asked = Array.from({ length: 40 }, async (_, index) =>
      replicas[index % 2]!.rateLimiter.consume('ann', 1, minute(15)),
    );
    expect((await Promise.all(asked)).filter(({ allowed }) => allowed)).toHaveLength(15);
    const slots = Array.from({ length: 40 }, async (_, index) =>
      replicas[index % 2]!.leases.acquire([{ key: 'a', max: 7 }]),
    );
    expect((await Promise.all(slots)).filter(Boolean)).toHaveLength(7);
  });

  it('leave no row in the clear, and no row behind that has ended', async () => {
    const schema = postgres.newSchema();
    const clock = new ManualClock();
    // No deadline passes with the clock.
    const options = { url: postgres.server.url, schema, timeout: DAY_MS };
    const stores = await opened.open(options, testPorts(clock));
    await stores.rateLimiter.consume('tool search ann@example.org', 1, minute(1));
    await stores.leases.acquire([{ key: 'ann@example.org', max: 1 }]);
    await stores.events.append('ann@example.org', 'a', { id: 'a_0', text: '' });
    await stores.cache.set('ann@example.org', 1, 60_000);
    const tables = ['limits', 'leases', 'stream_events', 'results'];
    for (const table of tables) {
      const rows = await postgres.sql(`SELECT * FROM ${schema}.${table}`);
      expect(JSON.stringify(rows)).toMatch(/"(key|session)":"[\w-]{43}"/);
      expect(JSON.stringify(rows)).not.toContain('ann');
      await postgres.sql(`UPDATE ${schema}.${table} SET expires_at = now() - interval '1 s'`);
    }
    const many = `INSERT INTO ${schema}.limits SELECT n, 1, now() - interval '1 s' FROM generate_series(1, 30000) n`;
    await postgres.sql(many);
    const left = tables.map((table) => `(SELECT count(*) FROM ${schema}.${table})`).join(' + ');
    // That is more than one sweep removes: the next one comes soon. The slot is held, and renewed.
    for (let rows = 2; rows > 1;) {
      clock.advance(4_500);
      rows = (await postgres.sql(`SELECT (${left})::int AS rows`))[0]!['rows'];
    }
  });

  it('wait for no disk, and a crash of PostgreSQL empties them, but not the sessions', async () => {
    const schema = postgres.newSchema();
    await opened.open({ url: postgres.server.url, schema });
    const logged = await postgres.sql(
      `SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = $1 AND relkind = 'r' AND relpersistence = 'p' ORDER BY 1`,
      [schema],
    );
    expect(logged.map(({ name }) => name)).toEqual([
      'audit_records',
      'claims',
      'migrations',
      'records',
      'sessions',
    ]);
  });

  it('go on while a long transaction, such as a backup, keeps old rows from being removed', async () => {
    const schema = postgres.newSchema();
    const stores = await opened.open({ url: postgres.server.url, schema });
    const backup = new Client(postgres.server.url);
    await backup.connect();
    await backup.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM ${schema}.limits`);
    for (let at = 0; at < 1_000; at++) await stores.rateLimiter.consume('ann', 1, minute(10_000));
    await backup.end();
    expect(await stores.rateLimiter.consume('ann', 1, minute(10_000))).toMatchObject({ remaining: 8_999 });
  });
});
