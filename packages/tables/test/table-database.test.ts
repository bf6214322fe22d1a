import type { Principal } from '@toolwright/core';
import type { DatabaseTable, ListRows, RowPage } from '../src';
import { TableDatabase } from '../src';
import { OpenedShop } from './support/opened-shop';
import { SHOP } from './support/shop.sql';

const anyone = { principal: undefined };
type Row = Record<string, any>;
let shop: OpenedShop;
let database: TableDatabase;
const tables: Record<string, DatabaseTable> = {};

beforeAll(async () => {
  shop = await OpenedShop.open(`${SHOP}
    INSERT INTO products (sku, name, price, rank) SELECT 'p' || n, 'Product ' || n, n / 4.0, nullif(n % 3, 0)
      FROM generate_series(1, 45) n;
    INSERT INTO log SELECT '2026-01-01', 'line ' || n FROM generate_series(1, 45) n;`);
  for (const { name } of (await shop.catalogue()).tables.filter(({ schema }) => schema === 'public'))
    tables[name] = await shop.table(name, { write: ['customers', 'products'] });
  database = new TableDatabase({ pglite: shop.pglite });
});
afterAll(async () => {
  await database.onDispose();
  await shop.close();
});

const list = (table: string, query: ListRows = {}): Promise<RowPage<Row>> =>
  database.list<Row>(tables[table]!, query, anyone);
const skus = async (query: ListRows) => (await list('products', query)).rows.map(({ sku }) => sku as string);

test('values keep their digits, and their types', async () => {
  const row = {
    name: 'Ada "quoted" \\ back',
    born: '1815-12-10',
    mood: "it's bad",
    balance: '12345678.90',
    score: 0.1,
    is_active: false,
    password_hash: 'secret-canary',
    settings: { big: 12345678901234567890n.toString(), list: [1, null, 'x'] },
    moods: ["it's bad", null, 'so-so'],
    numbers: ['9007199254740993', null],
    photo: new Uint8Array([0, 255, 7]),
    since: 1999,
    code: 'ab',
    seen: '2026-11-28T15:00:00.123456+02:00',
    alarm: '2026-11-28T15:00:00',
    token_id: '123e4567-e89b-12d3-a456-426614174000',
  };
  const added = await database.insert<Row>(tables['customers']!, row, anyone);
  const { password_hash: _unread, ...read } = row;
  expect(added).toEqual({
    ...read,
    id: '1',
    email: null,
    photo: Buffer.from([0, 255, 7]),
    labels: null,
    lives: null,
    seen: '2026-11-28T13:00:00.123456+00:00',
    full_name: 'Ada "quoted" \\ back!',
  });
  expect(await database.get<Row>(tables['customers']!, { id: 1n }, anyone)).toEqual(added);
  const [kept] = (await shop.pglite.query<Row>('SELECT password_hash FROM customers')).rows;
  expect(kept!.password_hash).toBe('secret-canary');
  // Bytes are for those who ask for a row.
  expect((await list('customers')).rows[0]).not.toHaveProperty('photo');
});

test('integers of JSON that a double does not hold are texts', async () => {
  const { id } = await database.insert<Row>(tables['customers']!, { name: 'Big' }, anyone);
  await shop.pglite.query(`UPDATE customers SET settings = '{"n": 12345678901234567890}' WHERE id = $1`, [
    id,
  ]);
  const { settings } = await database.get<Row>(tables['customers']!, { id }, anyone);
  expect(settings).toEqual({ n: '12345678901234567890' });
});

test.each<[string, ListRows['where'], string[]]>([
  ['equal', [{ column: 'name', is: 'equal', value: 'Product 7' }], ['p7']],
  ['a number as text', [{ column: 'price', is: 'equal', value: '1.750' }], ['p7']],
  ['at most', [{ column: 'price', is: 'at_most', value: 0.5 }], ['p1', 'p2']],
  [
    'both',
    [
      { column: 'price', is: 'less', value: 1 },
      { column: 'rank', is: 'equal', value: 2 },
    ],
    ['p2'],
  ],
  ['one of', [{ column: 'sku', is: 'one_of', values: ['p3', 'p9', "x'}"] }], ['p3', 'p9']],
  [
    'empty',
    [
      { column: 'rank', is: 'empty' },
      { column: 'price', is: 'less', value: 2 },
    ],
    ['p3', 'p6'],
  ],
  ['contains, in any case', [{ column: 'name', is: 'contains', value: 'T 45' }], ['p45']],
  ['begins', [{ column: 'name', is: 'starts_with', value: 'product 44' }], ['p44']],
  ['a percent sign is one', [{ column: 'name', is: 'contains', value: '%' }], []],
  ['what would be SQL is a text', [{ column: 'name', is: 'equal', value: "'; DROP TABLE products; --" }], []],
])('%s', async (_name, where, expected) => {
  expect(await skus({ where: where!, limit: 100 })).toEqual(expected);
});

test('a list has an item', async () => {
  const { id } = await database.insert<Row>(tables['customers']!, { name: 'Moody', moods: ['glad'] }, anyone);
  const where = [{ column: 'moods', is: 'contains', value: 'glad' } as const];
  expect((await list('customers', { where })).rows.map((row) => row['id'] as string)).toEqual([id]);
});

test.each([undefined, 'price', 'rank', 'name'])(
  'pages by %s have each row once, in both directions',
  async (orderBy) => {
    const seen: string[][] = [];
    for (const descending of [false, true]) {
      const found: string[] = [];
      for (let cursor: string | undefined, pages = 0; pages < 10; pages += 1) {
        const page = await list('products', {
          limit: 7,
          descending,
          ...(orderBy !== undefined && { orderBy }),
          ...(cursor !== undefined && { cursor }),
        });
        expect(page.rows.length).toBeLessThanOrEqual(7);
        found.push(...page.rows.map(({ sku }) => sku as string));
        if (page.next === undefined) break;
        ({ next: cursor } = page);
      }
      const { rows } = await shop.pglite.query<{ sku: string }>(
        `SELECT sku FROM products ORDER BY ${[...(orderBy === undefined ? [] : [orderBy]), 'sku']
          .map((each) => `${each} ${descending ? 'DESC' : 'ASC'}`)
          .join(', ')}`,
      );
      expect(found).toEqual(rows.map(({ sku }) => sku));
      seen.push(found);
    }
    expect(seen[0]).toHaveLength(45);
  },
);

test('rows that come meanwhile move no row of the next page', async () => {
  const first = await list('products', { limit: 5 });
  await database.insert(tables['products']!, { sku: 'a-first', name: 'New', price: 1 }, anyone);
  const second = await list('products', { limit: 5, cursor: first.next! });
  expect(new Set([...first.rows, ...second.rows].map(({ sku }) => sku as string)).size).toBe(10);
  await database.delete(tables['products']!, { sku: 'a-first' }, anyone);
});

test('a table without a key has pages by their number', async () => {
  const first = await list('log', { limit: 30 });
  const second = await list('log', { limit: 30, cursor: first.next! });
  expect(first.rows.length + second.rows.length).toBe(45);
  expect(second.next).toBeUndefined();
});

test.each([
  ['no cursor', { cursor: 'x' }],
  ['one of another order', { cursor: Buffer.from('["price false","1","p1"]').toString('base64url') }],
  ['one with other values', { cursor: Buffer.from('[" false",{"a":1}]').toString('base64url') }],
])('%s is refused in words', async (_name, query) => {
  await expect(list('products', query)).rejects.toMatchObject({ code: 'TW_TABLES_VALUE' });
});

test('a row is changed in the columns that are given, and deleted', async () => {
  const table = tables['products']!;
  await database.insert(table, { sku: 'x', name: 'X', price: '1' }, anyone);
  expect(await database.update(table, { sku: 'x', rank: null, name: 'Y' }, anyone)).toEqual({
    sku: 'x',
    name: 'Y',
    price: '1.00',
    rank: null,
  });
  await database.delete(table, { sku: 'x' }, anyone);
  const none = { code: 'TW_TABLES_VALUE', message: 'products has no row with sku x.' };
  await expect(database.delete(table, { sku: 'x' }, anyone)).rejects.toMatchObject(none);
  await expect(database.get(table, { sku: 'x' }, anyone)).rejects.toMatchObject(none);
  await expect(database.update(table, { sku: 'x', name: 'Z' }, anyone)).rejects.toMatchObject(none);
  await expect(database.update(table, { sku: 'p1' }, anyone)).rejects.toThrow('Say what to change');
});

test.each<[string, object, string]>([
  ['a value that is there already', { sku: 'p1', name: 'P', price: 1 }, 'duplicate key value'],
  ['one that a check forbids', { sku: 'y', name: 'P', price: -1 }, 'violates check constraint'],
  ['one that is missing', { sku: 'y', name: null, price: 1 }, 'violates not-null constraint'],
  ['one that is no number', { sku: 'y', name: 'P', price: 'much' }, 'invalid input syntax for type numeric'],
  ['a number that is too large', { sku: 'y', name: 'P', price: 1e9 }, 'numeric field overflow'],
])('%s is an error that the model understands', async (_name, row, words) => {
  const failed = database.insert(tables['products']!, row, anyone);
  await expect(failed).rejects.toMatchObject({
    code: 'TW_TABLES_VALUE',
    message: expect.stringContaining(words),
  });
});

test('a text that is too long is refused, and not cut', async () => {
  const failed = database.insert(tables['customers']!, { name: 'n'.repeat(21) }, anyone);
  await expect(failed).rejects.toThrow('value too long for type character varying(20)');
});

test('reading writes nothing, also where a table would do so', async () => {
  await shop.pglite.exec(`CREATE FUNCTION noted() RETURNS integer LANGUAGE sql AS
      $$ INSERT INTO log (line) VALUES ('noted') RETURNING 1 $$;
    CREATE VIEW sly AS SELECT noted() AS n;`);
  const table = await shop.table('sly');
  await expect(database.list(table, {}, anyone)).rejects.toThrow('read-only');
});

test('names of the database are names, whatever they are', async () => {
  await shop.pglite.exec(
    `INSERT INTO "Order Details" ("Unit Price", "__proto__", "価格") VALUES (1.5, 'x', 7)`,
  );
  const { rows } = await list('Order Details', {
    where: [{ column: 'proto', is: 'equal', value: 'x' }],
    orderBy: 'naive_drop_table_log',
  });
  expect(rows).toEqual([expect.objectContaining({ unit_price2: '1.5', proto: 'x', column_6: 7 })]);
});

describe('row-level security', () => {
  const by = (tenant?: string) => ({
    principal: tenant === undefined ? undefined : ({ subject: 's', scopes: [], tenant } as Principal),
  });
  let table: DatabaseTable;
  const open = (role?: string) =>
    new TableDatabase({
      pglite: shop.pglite,
      settings: ({ principal }) => ({ 'app.tenant': principal?.tenant }),
      ...(role !== undefined && { role }),
    });

  beforeAll(async () => {
    await shop.pglite.exec(`CREATE TABLE notes (id integer PRIMARY KEY, tenant text NOT NULL, text text);
      INSERT INTO notes VALUES (1, 'acme', 'a'), (2, 'other', 'b');
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON notes USING (tenant = current_setting('app.tenant', true));
      CREATE ROLE reader NOLOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO reader;`);
    table = await shop.table('notes', { write: ['notes'] });
  });

  test('the import sees what the policies read', async () => {
    await shop.pglite.exec(`CREATE FUNCTION me() RETURNS text LANGUAGE sql STABLE AS
        $$ SELECT coalesce(current_setting('request.jwt.claim.sub', true), current_setting('app.other')) $$;
      CREATE TABLE mine (id integer PRIMARY KEY, owner text);
      ALTER TABLE mine ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON mine USING (owner = me());`);
    const { settings, notes } = await shop.plan();
    expect(settings).toEqual([
      { name: 'app.other', from: undefined },
      { name: 'app.tenant', from: 'tenant' },
      { name: 'request.jwt.claim.sub', from: 'subject' },
    ]);
    expect(notes).toContain('Nothing says what of the caller app.other is. Say it in database.ts.');
    expect(notes).toContain('Row-level security: public.mine, public.notes.');
    expect(notes.join(' ')).toContain('bypasses policies');
  });

  test('each caller sees and changes the rows of its tenant', async () => {
    const own = open('reader');
    const ids = async (tenant: string) =>
      (await own.list<Row>(table, {}, by(tenant))).rows.map(({ id }) => id as number);
    expect(await ids('acme')).toEqual([1]);
    expect(await ids('other')).toEqual([2]);
    await expect(own.get(table, { id: 2 }, by('acme'))).rejects.toThrow('notes has no row with id 2.');
    await expect(own.delete(table, { id: 2 }, by('acme'))).rejects.toThrow('has no row');
    const forged = own.insert(table, { id: 3, tenant: 'other', text: 'c' }, by('acme'));
    await expect(forged).rejects.toMatchObject({ code: 'TW_TABLES_DENIED' });
    const moved = own.update(table, { id: 1, tenant: 'other' }, by('acme'));
    await expect(moved).rejects.toMatchObject({ code: 'TW_TABLES_DENIED' });
  });

  test('a setting ends with its call', async () => {
    const own = open('reader');
    await own.list(table, {}, by('acme'));
    const { rows } = await shop.pglite.query<Row>(
      `SELECT current_setting('app.tenant', true) AS tenant, current_user AS who`,
    );
    expect(rows[0]!.tenant || null).toBeNull();
    expect(rows[0]!.who).not.toBe('reader');
  });

  test('a caller without a tenant is refused before anything is asked', async () => {
    await expect(open('reader').list(table, {}, by())).rejects.toMatchObject({ code: 'TW_TABLES_DENIED' });
  });

  test('a role that bypasses the policies serves nobody', async () => {
    await expect(open().list(table, {}, by('acme'))).rejects.toMatchObject({
      code: 'TW_TABLES_ROW_SECURITY',
    });
  });
});

test('the folder of a PGlite is no address, and the error names the option', () => {
  expect(() => new TableDatabase({ url: 'pglite:./data' })).toThrow('Give the option "pglite" instead');
});

test.each([{}, { url: 'mysql://x' }, { url: undefined }])('the options %j name no database', (options) => {
  expect(() => new TableDatabase(options)).toThrow();
});
