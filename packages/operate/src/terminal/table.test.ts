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
