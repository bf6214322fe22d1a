import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The formatter is a module that Jest does not load.
const program = join(__dirname, '../dist/figures/main.js');
const counted = JSON.parse(
  execFileSync(process.execPath, [program, '--lines'], { encoding: 'utf8' }),
) as string[][];
const guide = readFileSync(join(__dirname, '../../../docs/reference-servers.md'), 'utf8');
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

it.each(counted)('the guide has the lines of %s, and ours are less than half', (kind, ours, theirs) => {
  const row = guide
    .split('\n')
    .map(cellsOf)
    .find((cells) => cells[1] === kind);
  const [code = NaN, all = NaN] = ours.match(/\d+/g)!.map(Number);

  expect(row?.slice(2, 4)).toEqual([ours, theirs]);
  expect(code * 2).toBeLessThan(parseInt(theirs));
  // With our doc comments, which are the descriptions, against their code alone.
  expect(all * 2).toBeLessThan(parseInt(theirs));
});
