import { formatRow, formatTable, render, styleFor, styledCell } from './style.js';

test('columns are as wide as their widest cell, and lines have no trailing spaces', () => {
  expect(
    formatTable([
      ['name', 'type', ''],
      ['q', 'string', 'words'],
    ]),
  ).toEqual(['name  type', 'q     string  words']);
});

test('the last column goes on below when the screen is narrow, and no word is cut', () => {
  const rows = [
    ['query', 'string', 'words to look for in all notes of this server'],
    ['q', 'string', 'short'],
  ];
  expect(formatTable(rows, { columns: 42, indent: '  ' })).toEqual([
    '  query  string  words to look for in all\n                 notes of this server',
    '  q      string  short',
  ]);
  expect(formatTable(rows, { columns: 30 })[0]).toBe(
    'query  string\n    words to look for in all\n    notes of this server',
  );
});

test('at 80 columns no line is longer, whichever column is wide, and no word is cut', () => {
  const rows = [
    [
      'find_books',
      '(q, limit?) -> { isbn?, title?, author?, year?, free? }[]',
      'src/library/books-tools.ts#Books.find',
      '',
    ],
    ['a_tool_with_quite_a_long_name_of_its_own', '() -> string', 'src/a.ts#A.b', 'not served'],
  ];
  const lines = formatTable(rows, { columns: 80 }).flatMap((row) => row.split('\n'));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  expect(words(lines.join(' '))).toEqual(words(rows.flat().join(' ')));
  expect(lines[0]).toBe('find_books');
});

test('colours take no width', () => {
  const bold = styleFor({ colours: true }).bold('ab');
  expect(
    formatTable([
      [bold, 'x'],
      ['abcd', 'y'],
    ]),
  ).toEqual([`${bold}    x`, 'abcd  y']);
});

test('a cell stays on its line, and hidden characters count with their visible width', () => {
  expect(
    formatTable([
      ['a\nb', 'x'],
      ['\u200b', 'y'],
    ]),
  ).toEqual(['a\\u{a}b   x', '\\u{200b}  y']);
});

test('wide letters take two columns, and what is drawn over another letter takes none', () => {
  const rows = ['note', '東京', 'ﾄｰｷｮｰ', '서울', 'e\u0301te\u0301', 'नमस्ते', '🇦🇹 🎉', '한\u1112\u1161\u11ab'];
  const columns = formatTable(rows.map((name) => [name, '|'])).map((row) => row.slice(0, row.indexOf('|')));
  // Spaces before the bar: as many as are missing to the widest cell and the gap.
  expect(columns.map((cell) => cell.length - cell.trimEnd().length)).toEqual([3, 3, 2, 3, 4, 3, 2, 3]);
});

test('a row goes on below when the screen is narrow, and a long cell stays whole', () => {
  const cells = ['2026-07-28', 'a-name-that-is-longer-than-its-column', 'ok'];
  const widths = [12, 8, 4];
  expect(formatRow(cells, widths)).toBe('2026-07-28   a-name-that-is-longer-than-its-column ok');
  expect(formatRow(cells, widths, { columns: 30 })).toBe(
    '2026-07-28\n    a-name-that-is-longer-than-its-column\n    ok',
  );
});

test('tones are colours only where there are colours', () => {
  const cell = { text: 'denied', tone: 'bad' } as const;
  expect(styledCell(cell, styleFor({ colours: false }))).toBe('denied');
  expect(render(styledCell(cell, styleFor({ colours: true })))).toBe('\u001b[31mdenied\u001b[39m');
});
