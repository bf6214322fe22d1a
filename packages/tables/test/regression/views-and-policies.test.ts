import type { Principal } from '@toolwright/core';
import { TableDatabase } from '../../src';
import { tableOf } from '../../src/write/table-of';
import { writeFiles } from '../../src/write/write-files';
import { OpenedShop } from '../support/opened-shop';

let shop: OpenedShop;
beforeAll(async () => {
  shop = await OpenedShop.open(`CREATE TABLE notes (id integer PRIMARY KEY, tenant text NOT NULL);
    INSERT INTO notes VALUES (1, 'acme'), (2, 'other');
    ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON notes USING (tenant = current_setting('app.tenant', true));
    CREATE TABLE plain (id integer PRIMARY KEY);
    CREATE VIEW open_notes AS SELECT * FROM notes;
    CREATE VIEW of_plain AS SELECT * FROM plain;
    CREATE VIEW safe WITH (security_invoker = true) AS SELECT * FROM notes;
    CREATE VIEW safe_of_safe WITH (security_invoker = on) AS SELECT * FROM safe;
    CREATE VIEW over_open WITH (security_invoker = true) AS SELECT * FROM open_notes;
    CREATE VIEW open_of_safe AS SELECT * FROM safe;
    CREATE MATERIALIZED VIEW kept AS SELECT * FROM notes;
    CREATE ROLE reader NOLOGIN; GRANT SELECT ON notes, safe, safe_of_safe TO reader;`);
});
afterAll(() => shop.close());
const by = (tenant?: string) => ({
  principal: tenant === undefined ? undefined : ({ subject: 's', scopes: [], tenant } as Principal),
});

test('a view that reads past the policies of a table is left out, and the report says why', async () => {
  const { tables, skipped } = await shop.plan();
  expect(tables.map(({ name }) => name)).toEqual(['notes', 'of_plain', 'plain', 'safe', 'safe_of_safe']);
  expect(skipped.map(({ table }) => table)).toEqual([
    'public.kept',
    'public.open_notes',
    'public.open_of_safe',
    'public.over_open',
  ]);
  for (const { reason } of skipped) expect(reason).toContain('by the rights of their owner');
  expect((await shop.plan({ include: ['*notes'] })).tables.map(({ name }) => name)).toEqual(['notes']);
});

test('one that a person names is there, with a warning', async () => {
  const { tables, notes } = await shop.plan({ include: ['open_notes'] });
  expect(tables.map(({ name }) => name)).toEqual(['open_notes']);
  expect(notes[0]).toBe(
    'These views show every caller the rows that their owner sees, whatever the policies say: public.open_notes.',
  );
});

test('a view with the rights of the caller is as safe as its table', async () => {
  const plan = await shop.plan({ include: ['safe_of_safe'] });
  expect(plan.settings).toEqual([{ name: 'app.tenant', from: 'tenant' }]);
  expect(writeFiles(plan).get('safe-of-safe-tools.ts')).toContain("rowSecurity: ['public.notes'],");
  const table = tableOf(plan.tables[0]!);
  const open = (role?: string) =>
    new TableDatabase({
      pglite: shop.pglite,
      settings: ({ principal }) => ({ 'app.tenant': principal?.tenant }),
      ...(role !== undefined && { role }),
    });
  expect((await open('reader').list(table, {}, by('acme'))).rows).toEqual([{ id: 1, tenant: 'acme' }]);
  await expect(open('reader').list(table, {}, by())).rejects.toMatchObject({ code: 'TW_TABLES_DENIED' });
  await expect(open().list(table, {}, by('acme'))).rejects.toMatchObject({ code: 'TW_TABLES_ROW_SECURITY' });
});
