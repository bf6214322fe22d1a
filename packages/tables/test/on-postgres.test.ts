import type { Principal } from '@toolwright/core';
import { describePostgres } from '../../postgres/test/support/describe-postgres';
import { type DatabaseTable, TableDatabase, type TableDatabaseOptions } from '../src';

type Row = Record<string, any>;
const by = (tenant: string) => ({ principal: { subject: 's', scopes: [], tenant } as Principal });

describePostgres('the rows of a server', (postgres) => {
  const notes: DatabaseTable = {
    schema: 'public',
    name: 'notes',
    key: ['id'],
    rowSecurity: true,
    columns: { id: 'integer', tenant: 'text', text: 'text' },
  };
  const slow: DatabaseTable = { schema: 'public', name: 'slow', columns: { n: 'integer' } };
  const opened: TableDatabase[] = [];
  const open = (options: Partial<TableDatabaseOptions> = {}) => {
    const database = new TableDatabase({
      url: postgres.server.urlOf('reader'),
      settings: ({ principal }) => ({ 'app.tenant': principal?.tenant }),
      ...options,
    });
    opened.push(database);
    return database;
  };
  beforeAll(() =>
    postgres.sql(`CREATE TABLE notes (id serial PRIMARY KEY, tenant text NOT NULL, text text);
      INSERT INTO notes (tenant, text) SELECT 'tenant ' || n % 3, 'note ' || n FROM generate_series(1, 30) n;
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON notes USING (tenant = current_setting('app.tenant', true));
      CREATE VIEW slow AS SELECT 1 AS n FROM pg_sleep(60);
      CREATE ROLE reader LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON notes, slow TO reader;
      GRANT USAGE ON SEQUENCE notes_id_seq TO reader; CREATE ROLE owner LOGIN; GRANT reader TO owner;
      ALTER TABLE notes OWNER TO owner;`),
  );
  afterAll(() => Promise.all(opened.map((database) => database.onDispose())));

  test('tenants that share connections see their own rows, also between calls that fail', async () => {
    const database = open({ connections: 2, timeout: '60s' });
    const ask = async (number: number) => {
      const tenant = `tenant ${number % 3}`;
      if (number % 5 === 0) {
        const wrong = database.get(notes, { id: 'x' }, by(tenant));
        await expect(wrong).rejects.toMatchObject({ code: 'TW_TABLES_VALUE' });
      }
      const { rows } = await database.list<Row>(notes, { limit: 100 }, by(tenant));
      expect(new Set(rows.map((row) => row['tenant'] as string))).toEqual(new Set([tenant]));
      expect(rows).toHaveLength(10);
    };
    await Promise.all(Array.from({ length: 60 }, (_, number) => ask(number)));
  });

  test('the owner of a table serves nobody, and does so by a role', async () => {
    const url = postgres.server.urlOf('owner');
    await expect(open({ url }).list(notes, {}, by('tenant 1'))).rejects.toMatchObject({
      code: 'TW_TABLES_ROW_SECURITY',
    });
    const { rows } = await open({ url, role: 'reader' }).list(notes, {}, by('tenant 1'));
    expect(rows).toHaveLength(10);
  });

  test('a statement that takes too long ends, and says so to the model', async () => {
    const list = open({ timeout: '50ms' }).list(slow, {}, by('tenant 1'));
    await expect(list).rejects.toMatchObject({ code: 'TW_TABLES_SLOW' });
    const running =
      await postgres.sql(`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%slow%' AND state = 'active'
      AND pid <> pg_backend_pid()`);
    expect(running).toEqual([]);
  });

  test('a database that is away is an outage, and no word of it is for the model', async () => {
    const away = open({ url: postgres.server.url.replace(/:\d+\//, ':1/') });
    await expect(away.list(notes, {}, by('tenant 1'))).rejects.toMatchObject({
      code: 'TW_POSTGRES_UNAVAILABLE',
    });
  });
});
