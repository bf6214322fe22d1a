import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guards } from '../../packages/core/src/policies/guards.js';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const named = [...page.matchAll(/`((?:core|http|express|stdio|client|testing|cli)\/src\/[\w./-]+)`/g)].map(
  ([, path]) => path!,
);

test('the page names files', () => {
  expect(named.length).toBeGreaterThan(15);
});

test.each([...new Set(named)])('packages/%s, which the page names, is there', (path) => {
  expect(existsSync(join(root, 'packages', path))).toBe(true);
});

test('the table of guards is the list of guards, in the order of their positions', () => {
  const rows = [...page.matchAll(/^\| (\d+) +\| ([\w ]+?) +\| (.+?) +\|$/gm)];
  expect(rows.map(([, position, name, summary]) => ({ position: Number(position), name, summary }))).toEqual(
    guards.map(({ position, name, summary }) => ({ position, name, summary })),
  );
});

test('no two guards have one position', () => {
  expect(new Set(guards.map(({ position }) => position)).size).toBe(guards.length);
});

test('the table of rooms is the list of folders in core', () => {
  const [, rooms = ''] = page.match(/## Inside core\n([^]*?)\n\n[A-Z]/) ?? [];
  const told = [...rooms.matchAll(/^\| `([a-z]+)\/`/gm)].map(([, room]) => room);
  const folders = readdirSync(join(root, 'packages/core/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(told.sort()).toEqual(folders.sort());
});
