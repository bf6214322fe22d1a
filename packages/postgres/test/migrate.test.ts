import { PGlite } from '@electric-sql/pglite';
import { Client, Pool } from 'pg';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { migrate, migrationSql, postgresStores } from '../src/index.js';
import { storeTables } from '../src/schema/migrate.js';
import { scriptOf } from '../src/schema/table-set.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

/** The tables of the stores, which docs/postgres.md names in its rights. */
const stored = ['claims', 'events', 'leases', 'limits', 'records', 'results', 'sessions', 'stream_events'];

/** The version of the tables of this release. */
const to = storeTables.steps.length;

describePostgres('the migration', (postgres) => {
  const versions = (schema: string) => postgres.sql(`SELECT * FROM ${schema}.migrations ORDER BY version`);
  const columns = (schema: string) =>
    postgres.sql(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
      [schema],
    );

  it('makes the tables once, however often it runs', async () => {
    const schema = postgres.newSchema();
    const url = postgres.server.url;
    expect(await migrate({ url, schema })).toEqual({ from: 0, to });
    const before = [await versions(schema), await columns(schema)];
    expect(await migrate({ url, schema })).toEqual({ from: to, to });
    await postgres.sql(migrationSql({ schema }));
    expect([await versions(schema), await columns(schema)]).toEqual(before);
    const tables = new Set(before[1]!.map(({ table_name }) => table_name));
    expect([...tables].sort()).toEqual(['audit_records', 'migrations', ...stored].sort());
  });

  it('may run in several releases at the same time', async () => {
    const schema = postgres.newSchema();
    const runs = Array.from({ length: 6 }, () => migrate({ url: postgres.server.url, schema }));
    for (const report of await Promise.all(runs)) expect(report.to).toBe(to);
    expect(await versions(schema)).toHaveLength(to);
  });

  it('brings the tables of the release before up to date, with what they keep, while that release runs', async () => {
    const schema = postgres.newSchema();
    const url = postgres.server.url;
    const before = { ...storeTables, steps: storeTables.steps.slice(0, 2) };
    await postgres.sql(scriptOf(before, schema));
    await postgres.sql(`INSERT INTO ${schema}.claims VALUES ('kept', now() + interval '1 h')`);
    const older = new Client(url);
    await older.connect();
    await older.query(`BEGIN; INSERT INTO ${schema}.claims VALUES ('at work', now())`);
    const replicas = [1, 2].map(() => postgresStores({ url, schema, timeout: 60_000 }));
    await Promise.all(replicas.map((stores) => stores.open(testPorts())));
    await older.query('COMMIT');
    await older.end();
    expect(await versions(schema)).toHaveLength(to);
    const [one, two] = replicas.map(({ rateLimiter }) => rateLimiter!);
    const rule = { points: 1, perMs: 60_000 };
    expect((await one!.consume('ann', 1, rule)).allowed).toBe(true);
    expect((await two!.consume('ann', 1, rule)).allowed).toBe(false);
    expect(await postgres.sql(`SELECT FROM ${schema}.claims WHERE key = 'kept'`)).toHaveLength(1);
    await Promise.all(replicas.map((stores) => stores.close()));
  });

  it('waits for another one that is at work', async () => {
    const schema = postgres.newSchema();
    const [begin] = migrationSql({ schema }).split('COMMIT;');
    const other = new Client(postgres.server.url);
    await other.connect();
    await other.query(begin!);
    const ours = migrate({ url: postgres.server.url, schema });
    const waiting = `SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    while ((await postgres.sql(waiting))[0]!['locks'] === 0);
    await other.query('COMMIT');
    expect(await ours).toEqual({ from: 0, to });
    await other.end();
  });

  it('leaves no half of it behind, nor a connection in the middle of it', async () => {
    const schema = postgres.newSchema();
    await postgres.sql(`CREATE SCHEMA ${schema}; CREATE VIEW ${schema}.events AS SELECT 1 AS one`);
    await postgres.sql(`CREATE TABLE ${schema}.claims (unfit int)`);
    const pool = new Pool({ connectionString: postgres.server.url, max: 1 });
    await expect(migrate({ pool, schema })).rejects.toMatchObject({ code: 'TW_POSTGRES_REFUSED' });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    expect((await columns(schema)).map(({ table_name }) => table_name)).toEqual(['claims', 'events']);
  });

  it('is no matter of stores that say so: they boot with the tables that somebody else has made', async () => {
    const schema = postgres.newSchema();
    const stores = () =>
      postgresStores({ url: postgres.server.url, schema, timeout: 60_000, migrate: false });
    await expect(stores().open(testPorts())).rejects.toMatchObject({
      code: 'TW_CONFIGURATION',
      message: expect.stringContaining(`this release needs ${to}`),
    });
    await postgres.sql(migrationSql({ schema }));
    const opened = stores();
    await opened.open(testPorts());
    expect(await opened.claims.claim('a', 1_000)).toBe(true);
    await opened.close();
  });

  it('leaves the tables of a newer release alone', async () => {
    const schema = postgres.newSchema();
    const url = postgres.server.url;
    await migrate({ url, schema });
    await postgres.sql(`INSERT INTO ${schema}.migrations VALUES (99)`);
    expect(await migrate({ url, schema })).toEqual({ from: 99, to: 99 });
  });

  it('needs a right that a login may lack; then the server does not boot, and says what to do', async () => {
    const schema = postgres.newSchema();
    await postgres.sql('CREATE ROLE poor LOGIN');
    const url = postgres.server.urlOf('poor');
    const stores = () => postgresStores({ url, schema, timeout: 60_000 });
    await expect(stores().open(testPorts())).rejects.toMatchObject({
      code: 'TW_CONFIGURATION',
      message: expect.stringMatching(/42501.*Grant the missing right, or run the text of migrationSql\(\)/s),
    });

    await postgres.sql(migrationSql({ schema }));
    // The rights that docs/postgres.md names.
    await postgres.sql(`GRANT USAGE ON SCHEMA ${schema} TO poor`);
    await postgres.sql(`GRANT SELECT ON ${schema}.migrations TO poor`);
    const tables = stored.map((table) => `${schema}.${table}`).join(', ');
    await postgres.sql(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO poor`);
    const opened = stores();
    await opened.open(testPorts());
    expect(await opened.claims.claim('a', 1_000)).toBe(true);
    expect(await opened.claims.release('a')).toBe(true);
    expect(await opened.rateLimiter!.consume('a', 2, { points: 1, perMs: 60_000 })).toMatchObject({
      allowed: false,
    });
    await (await opened.leases!.acquire([{ key: 'a', max: 1 }]))!();
    await opened.sessions!.set('a', { subscriptions: [], owner: 'ann' }, 60_000);
    expect(await opened.sessions!.ofOwner!('ann')).toEqual(['a']);
    await opened.cache!.set('a', 1, 60_000);
    expect(await opened.cache!.get('a')).toBe(1);
    for (const id of ['a_0', 'a_1']) await opened.events!.append('s', 'a', { id, text: '' });
    expect(await opened.events!.after('s', 'a', 'a_0')).toHaveLength(1);
    await opened.events!.drop('s');
    await opened.close();
  });
});

describe('the migration on PGlite', () => {
  it('leaves no transaction open when it fails', async () => {
    const pglite = new PGlite(preparedPglite());
    await pglite.exec('CREATE SCHEMA unfit; CREATE TABLE unfit.claims (unfit int)');
    await expect(migrate({ pglite, schema: 'unfit' })).rejects.toMatchObject({ code: 'TW_POSTGRES_REFUSED' });
    expect(await migrate({ pglite })).toEqual({ from: 0, to });
    await pglite.close();
  });
});
