import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guards } from '../../packages/core/src/policies/guards.js';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const named = [
  ...page.matchAll(/`((?:core|ground|wire|http|express|stdio|client|testing|cli)\/src\/[\w./-]+)`/g),
].map(([, path]) => path!);

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

test.each(['core', 'ground'])('the table of rooms is the list of folders in %s', (name) => {
  const [, rooms = ''] = page.match(new RegExp(`## Inside ${name}\\n([^]*?)\\n\\n[A-Z]`)) ?? [];
  const named = [...rooms.matchAll(/^\| `([a-z]+)\/`/gm)].map(([, room]) => room);
  const folders = readdirSync(join(root, 'packages', name, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(named.sort()).toEqual(folders.sort());
});

/** A table of oxlint.config.mjs, by the name of its constant. */
function lintTable(name: string): Record<string, string[]> {
  const config = readFileSync(join(root, 'oxlint.config.mjs'), 'utf8');
  const constants = ['served', name].map((each) => new RegExp(`^const ${each} = [^]+?;$`, 'm'));
  const code = constants.map((pattern) => pattern.exec(config)![0]).join('\n');
  return new Function(`${code}\nreturn ${name};`)() as Record<string, string[]>;
}

test('the floors of the page have every package, and lint allows imports from floors below only', () => {
  const lines = /^```\n(apps\n[^]+?)\n```$/m
    .exec(page)![1]!
    .split('\n')
    .map((line) => line.split(/ +/));
  const floorOf = new Map(lines.flatMap((names, floor) => names.map((name) => [name, floor] as const)));
  const folders = readdirSync(join(root, 'packages'));
  expect([...floorOf.keys()].sort()).toEqual(['apps', ...folders].sort());
  const upwards = Object.entries(lintTable('packages')).flatMap(([name, allowed]) =>
    allowed
      .filter((other) => floorOf.get(other)! <= floorOf.get(name)!)
      .map((other) => `${name} -> ${other}`),
  );
  expect(upwards).toEqual([]);
});

test('lint allows imports only from rooms further down in the table of rooms', () => {
  const [, table = ''] = page.match(/## Inside core\n([^]*?)\n\nA room imports/) ?? [];
  const order = [...table.matchAll(/^\| `([a-z]+)\/`/gm)].map(([, room]) => room!);
  expect(order.length).toBeGreaterThan(5);
  const upwards = Object.entries(lintTable('rooms')).flatMap(([room, allowed]) =>
    allowed
      .filter((other) => order.indexOf(other) <= order.indexOf(room))
      .map((other) => `${room} -> ${other}`),
  );
  expect(upwards).toEqual([]);
});
