import { formatValue } from './format-result.js';

const format = (value: unknown, columns?: number) => formatValue(value, { colours: false, columns });

test('similar objects become a table, even if some members are missing', () => {
  expect(
    format({
      notes: [
        { id: 1, text: 'Buy milk.\nAnd bread.' },
        { id: 20, done: true },
      ],
    }),
  ).toEqual(['id  text                  done', '1   Buy milk. And bread.', '20                        true']);
});

test('members are shown in lines, before the tables', () => {
  expect(format({ total: 2, pages: [{ id: 'a' }], next: null, tags: ['x', 'y'] })).toEqual([
    'total  2',
    'next',
    'tags   ["x","y"]',
    '',
    'pages',
    'id',
    'a',
  ]);
});

test('no text is cut: a table that is too wide becomes lines', () => {
  const text = 'a'.repeat(100);
  expect(format([{ text }])[1]).toBe(text);
  expect(format([{ id: 1, text }, { id: 2 }], 80)).toEqual(['id    1', `text  ${text}`, '', 'id  2']);
  expect(format({ text })).toEqual([`text  ${text}`]);
});

test.each([[3], ['text'], [null], [[]], [[1, 2]]])('%j is printed as it is', (value) => {
  expect(JSON.parse(format(value).join('\n'))).toEqual(value);
});
