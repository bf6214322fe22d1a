import type { DatabaseTable } from '../../src';
import { TableDatabase } from '../../src';
import { columnForm } from '../../src/write/column-form';
import { OpenedShop } from '../support/opened-shop';

const anyone = { principal: undefined };
let shop: OpenedShop;
beforeAll(async () => {
  shop =
    await OpenedShop.open(`CREATE TABLE odd (id integer PRIMARY KEY, n float8 NOT NULL, few real[] NOT NULL, j json, lists text[]);
    INSERT INTO odd VALUES (1, 'NaN', '{NaN,1.5,Infinity,NULL}', '{"a": [1e400, -1e400, 2], "b": "1e400"}', '{{a},{b}}'),
      (2, '-Infinity', '{}', '1e400', '{a}');`);
});
afterAll(() => shop.close());

test('numbers that JSON does not have, and lists of lists, are null where the type says so', async () => {
  const table: DatabaseTable = await shop.table('odd');
  const { rows } = await new TableDatabase({ pglite: shop.pglite }).list(table, {}, anyone);
  expect(rows).toEqual([
    { id: 1, n: null, few: [null, 1.5, null, null], j: { a: [null, null, 2], b: '1e400' }, lists: null },
    { id: 2, n: null, few: [], j: null, lists: ['a'] },
  ]);
  const [{ columns }] = (await shop.plan()).tables as any;
  const form = (index: number, use: 'read' | 'write') => columnForm(columns[index], use);
  expect(form(1, 'read')).toMatchObject({ type: 'number | null', schema: { type: ['number', 'null'] } });
  expect(form(1, 'write')).toMatchObject({ type: 'number' });
});
