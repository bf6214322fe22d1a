import type { DatabaseTable } from './database-table.js';
import { pageStatement } from './list-rows.js';
import { cursorText } from './page-cursor.js';
import { insertStatement, updateStatement } from './row-statements.js';
import { listText, readValue, writeValue } from './values.js';

const table: DatabaseTable = {
  schema: 'a"b',
  name: 'c d',
  key: ['id'],
  columns: {
    id: 'bigint',
    name: { type: 'text', column: 'n"; --' },
    born: 'date',
    secret: { type: 'text', writeOnly: true },
  },
};

test('what a caller sends is a parameter, wherever it is', () => {
  const evil = `'); DROP TABLE x; --`;
  const cursor = cursorText({ order: 'name false', values: [evil, evil] });
  const page = pageStatement(table, {
    where: [
      { column: 'name', is: 'equal', value: evil },
      { column: 'name', is: 'one_of', values: [evil] },
      { column: 'name', is: 'contains', value: evil },
    ],
    orderBy: 'name',
    cursor,
  });
  const statements = [
    page,
    insertStatement(table, { id: evil, [evil]: evil }),
    updateStatement(table, { id: evil, name: evil }),
  ];
  for (const { text, values } of statements) {
    expect(text).not.toContain('DROP');
    expect(values.filter((each) => each?.includes('DROP')).length).toBeGreaterThan(0);
  }
  expect(page.text).toContain('FROM "a""b"."c d" WHERE "n""; --" = $1::text::text AND');
});

test('a page goes on where an index begins, in both directions', () => {
  const after = (descending: boolean) => {
    const order = `born ${descending}`;
    const cursor = cursorText({ order, values: ['2026-01-01', '7'] });
    const { text } = pageStatement(table, { orderBy: 'born', descending, cursor });
    return text.replace(/.* WHERE /, '').replace(/::text::\w+/g, '');
  };
  expect(after(false)).toBe(
    '(("born" >= $1 OR "born" IS NULL) AND ("born" > $1 OR "born" IS NULL OR ("born" = $1 AND ("id" > $2)))) ORDER BY "born" ASC, "id" ASC LIMIT $3',
  );
  expect(after(true)).toBe(
    '(("born" <= $1) AND ("born" < $1 OR ("born" = $1 AND ("id" < $2)))) ORDER BY "born" DESC, "id" DESC LIMIT $3',
  );
});

test('a column that is never read is in no answer, no condition and no order', () => {
  expect(insertStatement(table, { secret: 'x' }).text).toMatch(
    /^INSERT .*\("secret"\).* RETURNING (?!.*secret)/,
  );
  expect(() => pageStatement(table, { orderBy: 'secret' })).toThrow('There is no column secret.');
  expect(() => pageStatement(table, { where: [{ column: 'secret', is: 'not_empty' }] })).toThrow(
    'no column secret',
  );
  expect(() => pageStatement(table, { orderBy: '__proto__' })).toThrow('There is no column __proto__.');
});

test.each([0, -5, 1e9, Number.NaN])('a limit of %d is between one row and a hundred', (limit) => {
  const { values } = pageStatement(table, { limit });
  expect(Number(values.at(-1))).toBeGreaterThanOrEqual(2);
  expect(Number(values.at(-1))).toBeLessThanOrEqual(101);
});

test('the items of a list end nothing', () => {
  expect(listText(['a"b', '\\', '},{', null, ''])).toBe('{"a\\"b","\\\\","},{",NULL,""}');
  const bytes = { kind: 'bytes', isList: false } as const;
  expect(writeValue(bytes, new Uint8Array([1, 255]))).toBe('\\x01ff');
  expect(readValue({ ...bytes, kind: 'json' } as never, '{"n":12345678901234567890}')).toEqual({
    n: '12345678901234567890',
  });
});
