import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrix } from './support/matrix.js';

/** The rows of the first table, without its head. */
function documentedRows(): string[][] {
  const page = readFileSync(join(__dirname, '../../../docs/toolchains.md'), 'utf8');
  const [, , ...rows] = page.split('\n').filter((line) => line.startsWith('|'));
  const end = rows.findIndex((line) => /^\| -/.test(line));
  return (end < 0 ? rows : rows.slice(0, end - 1)).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('the matrix of docs/toolchains.md has exactly the toolchains that the tests build and call', () => {
  expect(documentedRows()).toEqual(
    matrix.map(({ name, decorators, settings }) => [name, decorators, settings]),
  );
});
