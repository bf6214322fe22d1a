import { TableDatabase } from '../../src';
import { isComparable } from '../../src/model/planned-table';
import { tableOf } from '../../src/write/table-of';
import { OpenedShop } from '../support/opened-shop';

const anyone = { principal: undefined };
let shop: OpenedShop;
beforeAll(async () => {
  shop = await OpenedShop.open(`CREATE DOMAIN blobs AS bytea[]; CREATE TYPE pair AS (a integer, b text);
    CREATE TABLE odd (id integer PRIMARY KEY, bytes bytea[] NOT NULL DEFAULT '{}', behind blobs, grid integer[][],
      boxes box[], span int4range, spans tstzrange[], many int4multirange, of pair[], place point, doc xml);
    CREATE TABLE paired (at pair PRIMARY KEY);
    CREATE TABLE hidden (id integer PRIMARY KEY, api_tokens text[], credentials jsonb, password json, tokens integer);`);
});
afterAll(() => shop.close());

test('types that are not surely right are left out with the reason, and the others go both ways', async () => {
  const { tables, notes } = await shop.plan({ write: ['odd'], include: ['odd'] });
  expect(notes).toEqual([
    'Not read: public.odd.bytes (a list of bytea), public.odd.behind (a list of bytea), public.odd.grid (lists of lists), public.odd.boxes (a list of box).',
  ]);
  const database = new TableDatabase({ pglite: shop.pglite });
  const table = tableOf(tables[0]!);
  const row = {
    id: 1,
    span: '[1,5)',
    spans: ['["2026-01-01 00:00:00+00","2026-01-02 00:00:00+00")', 'empty', null],
    many: '{[1,3),[5,8)}',
    place: '(1,2)',
  };
  const { doc: _doc, ...added } = await database.insert<Record<string, unknown>>(table, row, anyone);
  expect(added).toEqual({ ...row, of: null });
  const { columns } = tables[0]!;
  expect(columns.filter((each) => !isComparable(each)).map(({ name }) => name)).toEqual([
    'of',
    'place',
    'doc',
  ]);
});

test('a key that callers cannot write names no row', async () => {
  const { tables } = await shop.plan({ include: ['paired'] });
  expect(Object.keys(tables[0]!.tools)).toEqual(['list']);
});

test('secrets are in lists and in JSON, too', async () => {
  const { tables } = await shop.plan({ include: ['hidden'] });
  expect(tables[0]!.columns.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
    'api_tokens',
    'credentials',
    'password',
  ]);
});
