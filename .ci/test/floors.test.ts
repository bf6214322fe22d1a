import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const folders = readdirSync(join(root, 'packages')).sort();

/** The picture of the page: its floors from the top, each with its packages. */
const [, picture = ''] = /^## Packages\n[^]*?```\n([^]*?)\n```/m.exec(page) ?? [];
const floors = picture.split('\n').map((line) => line.split(/ {3}/));
const floorOf = (name: string) => floors.findIndex((floor) => floor.includes(name));

interface Restriction {
  regex: string;
  allowTypeImports?: boolean;
}

/** What the linter forbids to import, by folder of sources. Its configuration is loaded once, in a process of its own. */
const script = `
  import(process.argv[1]).then(({ default: config }) => {
    const held = config.overrides.filter(({ rules }) => rules['typescript/no-restricted-imports']);
    const patterns = ({ files, rules }) => [files[0], rules['typescript/no-restricted-imports'][1].patterns];
    console.log(JSON.stringify(Object.fromEntries(held.map(patterns))));
  });`;
const restrictions = JSON.parse(
  execFileSync(process.execPath, ['-e', script, join(root, 'oxlint.config.mjs')], { encoding: 'utf8' }),
) as Record<string, Restriction[]>;
const restrictionsOf = (folder: string) => restrictions[`${folder}/**/*.ts`]!;

const forbidding = (restrictions: Restriction[], specifier: string) =>
  restrictions.filter(({ regex }) => new RegExp(regex).test(specifier));

test('the picture and the table of packages have every package once', () => {
  expect(floors.flat().sort()).toEqual([...folders, 'apps'].sort());
  const [, table = ''] = /^## Packages\n([^]*?)\nThe linter/m.exec(page) ?? [];
  expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!).sort()).toEqual(folders);
});

test.each(folders.filter((name) => name !== 'create-toolwright'))(
  'packages/%s may import only from floors below its own',
  (name) => {
    const own = restrictionsOf(`packages/${name}/src`);
    const allowed = folders.filter((other) => forbidding(own, `@toolwright/${other}`).length === 0);
    const above = allowed.filter((other) => other !== 'create-toolwright' && floorOf(other) <= floorOf(name));
    expect(above).toEqual([]);
  },
);

test.each(['core', 'ground', 'json', 'http', 'identity', 'console', 'cli'])(
  'packages/%s has no folder of sources without rules of its own',
  (name) => {
    const source = `packages/${name}/src`;
    const rooms = readdirSync(join(root, source), { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    );
    const free = rooms.filter((room) => restrictions[`${source}/${room.name}/**/*.ts`] === undefined);
    expect(free.map((room) => room.name)).toEqual([]);
  },
);

test('types follow the tables as values do; only those of large libraries are free', () => {
  const own = restrictionsOf('packages/core/src/container');
  expect(forbidding(own, '../boot/boot-server.js')).toEqual([
    expect.not.objectContaining({ allowTypeImports: true }),
  ]);
  expect(forbidding(own, '@toolwright/http')).toEqual([
    expect.not.objectContaining({ allowTypeImports: true }),
  ]);
  expect(forbidding(own, 'typescript')).toEqual([expect.objectContaining({ allowTypeImports: true })]);
});
