import { formatTable } from './table.js';

test('columns are as wide as their widest cell, and lines have no trailing spaces', () => {
  expect(
    formatTable([
      ['name', 'type', ''],
      ['q', 'string', 'words'],
    ]),
  ).toEqual(['name  type', 'q     string  words']);
});

test('colours take no width', () => {
  expect(
    formatTable([
      ['\u001b[1mab\u001b[22m', 'x'],
      ['abcd', 'y'],
    ]),
  ).toEqual(['\u001b[1mab\u001b[22m    x', 'abcd  y']);
});
