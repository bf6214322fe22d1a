import type { DatabaseTable, ListRows, RowPage } from '../../src';
import { TableDatabase } from '../../src';
import { OpenedShop } from '../support/opened-shop';

const anyone = { principal: undefined };
type Row = Record<string, any>;
/** What `@MaxOutput` of a written tool allows. */
const MOST = 40_000;
let shop: OpenedShop;
const tables: Record<string, DatabaseTable> = {};

beforeAll(async () => {
  shop = await OpenedShop.open(`CREATE TABLE texts (id integer PRIMARY KEY, body text NOT NULL);
    INSERT INTO texts SELECT n, repeat('é"' || chr(8238), 700) FROM generate_series(1, 45) n;
    CREATE TABLE lines (n integer, body text); INSERT INTO lines SELECT * FROM texts;
    CREATE TABLE wide (id text PRIMARY KEY, body text, words text[] NOT NULL, data jsonb);
    INSERT INTO wide SELECT n::text, repeat('x', n * 90000), array_fill('w'::text, array[n * 30000]),
      jsonb_build_object('a', repeat('y', 90000)) FROM generate_series(0, 3) n;
    CREATE TABLE named (name text PRIMARY KEY); INSERT INTO named VALUES (repeat('k', 300));`);
  for (const { name } of (await shop.catalogue()).tables) tables[name] = await shop.table(name);
});
afterAll(() => shop.close());

async function pagesOf(name: string, query: ListRows = {}, options = {}): Promise<RowPage<Row>[]> {
  const database = new TableDatabase({ pglite: shop.pglite, ...options });
  const pages: RowPage<Row>[] = [];
  for (let cursor: string | undefined; pages.length < 60;) {
    pages.push(
      await database.list<Row>(tables[name]!, { ...query, ...(cursor !== undefined && { cursor }) }, anyone),
    );
    cursor = pages.at(-1)!.next;
    if (cursor === undefined) return pages;
  }
  throw new Error('The list does not end.');
}

test.each([
  ['texts', {}],
  ['texts', { orderBy: 'body', descending: true }],
  ['lines', {}],
] as const)('each row of %s %j is in a page, and no page is cut', async (name, query) => {
  const pages = await pagesOf(name, { limit: 30, ...query });
  const ids = pages.flatMap(({ rows }) => rows.map((row) => (row['id'] ?? row['n']) as number));
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  for (const page of pages) {
    // Hidden characters are written out when they are sent.
    const sent = JSON.stringify(page).replaceAll('\u202e', '\\\\u{202e}');
    expect(Buffer.byteLength(sent)).toBeLessThan(MOST);
    expect(page).not.toHaveProperty('cut');
  }
});

test('a row that is too large alone has its longest values cut, and says which', async () => {
  const pages = await pagesOf('wide');
  expect(pages.map(({ rows }) => rows.map(({ id }) => id as string))).toEqual([['0'], ['1'], ['2'], ['3']]);
  expect(pages[0]!.cut).toEqual(['data']);
  expect(new Set(pages[3]!.cut)).toEqual(new Set(['body', 'words', 'data']));
  expect(pages[3]!.rows[0]!.body).toMatch(/^x{1000,}…$/);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(MOST);
});

test('a row of which nothing can be cut is refused by its key', async () => {
  await expect(pagesOf('named', {}, { pageBytes: 200 })).rejects.toMatchObject({
    code: 'TW_TABLES_VALUE',
    message: expect.stringMatching(/^The row of named with name k+ is too large to be listed\.$/),
  });
});

test('an order by values that no cursor holds is refused', async () => {
  await expect(pagesOf('wide', { orderBy: 'body', descending: true })).rejects.toThrow('Use another order.');
});
