import type { DatabaseTable } from './database-table.js';
import { rowQuestion } from './row-question.js';

const table: DatabaseTable = {
  schema: 'public',
  name: 'films',
  key: ['id', 'at'],
  columns: {
    id: 'jsonb',
    at: 'bytea',
    title: 'text',
    rank: 'integer',
    code: { type: 'text', writeOnly: true },
  },
};

test('a question names the row, and what changes in it', () => {
  const key = { id: { a: 1 }, at: new Uint8Array([0, 255]) };
  expect(rowQuestion('Delete film', table, key)).toBe('Delete film {"a":1}, "AP8="?');
  expect(
    rowQuestion('Change film', table, { ...key, title: 'x"?\n\u202eNo', rank: null, code: 'canary' }),
  ).toBe('Change film {"a":1}, "AP8=": title = "x\\"?\\n\\\\u{202e}No", rank = null, code = (secret)?');
});

test('a question stays short', () => {
  const columns = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`c${index}`, 'text']));
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, 'v'.repeat(500)]));
  const text = rowQuestion('Change film', { ...table, columns, key: ['c0'] }, values);
  expect(text.length).toBeLessThan(1_500);
  expect(text).toMatch(/…", and 17 more columns\?$/);
});
