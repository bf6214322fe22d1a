import { PGlite } from '@electric-sql/pglite';
import { Client, Pool } from 'pg';
import { migrate, migrationSql, postgresStores } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

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
    expect(await migrate({ url, schema })).toEqual({ from: 0, to: 2 });
    const before = [await versions(schema), await columns(schema)];
    expect(await migrate({ url, schema })).toEqual({ from: 2, to: 2 });
    await postgres.sql(migrationSql({ schema }));
    expect([await versions(schema), await columns(schema)]).toEqual(before);
    const tables = new Set(before[1]!.map(({ table_name }) => table_name));
    expect([...tables]).toEqual(['audit_records', 'claims', 'events', 'migrations', 'records']);
  });

  it('may run in several releases at the same time', async () => {
    const schema = postgres.newSchema();
    const runs = Array.from({ length: 6 }, () => migrate({ url: postgres.server.url, schema }));
    for (const { to } of await Promise.all(runs)) expect(to).toBe(2);
    expect(await versions(schema)).toHaveLength(2);
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
    expect(await ours).toEqual({ from: 0, to: 2 });
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
      message: expect.stringContaining('this release needs 2'),
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
    await postgres.sql(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.claims, ${schema}.events, ${schema}.records TO poor`,
    );
    const opened = stores();
    await opened.open(testPorts());
    expect(await opened.claims.claim('a', 1_000)).toBe(true);
    expect(await opened.claims.release('a')).toBe(true);
    await opened.close();
  });
});

describe('the migration on PGlite', () => {
  it('leaves no transaction open when it fails', async () => {
    const pglite = new PGlite();
    await pglite.exec('CREATE SCHEMA unfit; CREATE TABLE unfit.claims (unfit int)');
    await expect(migrate({ pglite, schema: 'unfit' })).rejects.toMatchObject({ code: 'TW_POSTGRES_REFUSED' });
    expect(await migrate({ pglite })).toEqual({ from: 0, to: 2 });
    await pglite.close();
  });
});
