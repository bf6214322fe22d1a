import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renames } from '../../packages/codemod/src/renames/table.js';
import { formerOptions } from '../../packages/core/src/boot/options/former-options.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/upgrading.md');

/** The cells of the guide's tables, without the spaces around them. */
const rows = [...guide.matchAll(/^\| *(.*?) *\| *(.*?) *\|$/gm)].map(
  ([, before, now]) => [before!, now!] as const,
);

/** Names that left a package, as "`A`, `B` of `@toolwright/a` | the same names of `@toolwright/b`" lists them. */
const moved = rows.flatMap(([before, now]) => {
  const [, names, from] = /^((?:`\w+`,? )+)of `@toolwright\/([a-z-]+)`$/.exec(before) ?? [];
  const [, to] = /^the same names? of `@toolwright\/([a-z-]+)`$/.exec(now) ?? [];
  if (names === undefined || from === undefined || to === undefined) return [];
  return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, from, to] as const);
});

/** What a package exports by its main entry, types included. */
const exportsOf = (name: string) => read(`packages/${name}/src/index.ts`).match(/\w+/g) ?? [];

test('the guide lists names that moved', () => expect(moved.length).toBeGreaterThan(20));

test.each(moved)('%s left @toolwright/%s and is in @toolwright/%s', (name, from, to) => {
  expect(exportsOf(from)).not.toContain(name);
  expect(exportsOf(to)).toContain(name);
});

test('the guide lists each option that has another name today, and no other', () => {
  const listed = rows.filter(([before]) => Object.hasOwn(formerOptions, before.slice(1, -1)));
  expect(listed).toEqual(
    Object.entries(formerOptions).map(([before, now]) => [`\`${before}\``, `\`${now}\``]),
  );
});

/** Names that moved inside core, as "- **`@toolwright/core/ports`** (…): `A`, `B`" lists them. */
const movedInside = [...guide.matchAll(/^- \*\*`(@toolwright\/core\/\w+)`\*\* \([^)]*\): (.*)$/gm)].flatMap(
  ([, to, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${to}`),
);

test('the guide lists each name that moved inside core, and no other', () => {
  const inside = renames.names.filter(
    ({ from, to }) => from === '@toolwright/core' && to.startsWith('@toolwright/core/'),
  );
  expect(movedInside.length).toBeGreaterThan(100);
  expect([...movedInside].sort()).toEqual(inside.map(({ name, to }) => `${name} ${to}`).sort());
});

test('toolwright upgrade knows each moved name and each option of before', () => {
  const rows = renames.names.map(({ from, name, to }) => [name, from, to].join(' '));
  expect(rows).toEqual(
    expect.arrayContaining(moved.map(([name, from, to]) => `${name} @toolwright/${from} @toolwright/${to}`)),
  );
  expect(renames.options).toEqual(formerOptions);
});

/** What an entry point exports: `@toolwright/core/transport` is written in packages/core/src/transport.ts. */
const exportsOfModule = (module: string) => {
  const [, name, entry = 'index'] = module.split('/');
  const lists = read(`packages/${name}/src/${entry}.ts`).matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list]) => list!.match(/\b(?!type\b)\w+/g) ?? []);
};

/** Names that a later row of the table renames once more. */
const passing = new Set(renames.names.map(({ from, name }) => `${from} ${name}`));

test.each(renames.names.filter(({ to, newName }) => !passing.has(`${to} ${newName}`)))(
  'toolwright upgrade leads $name of $from to $newName of $to, which exists',
  ({ from, name, to, newName }) => {
    expect(exportsOfModule(to).includes(newName)).toBe(true);
    expect(exportsOfModule(from).includes(name)).toBe(false);
  },
);

test('no name of a package is marked as deprecated', () => {
  const withSources = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'src')),
  );
  const marked = withSources.flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `packages/${name}/src/${file}`)
      .filter((file) => /(?<!\.test)\.m?ts$/.test(file) && /^ *(\/\*\*|\*) @deprecated /m.test(read(file))),
  );
  expect(marked).toEqual([]);
});

test.each([
  [
    'express',
    [
      'drainOnSignal',
      'mcpReady',
      'DrainedApp',
      'DrainOnSignalOptions',
      'mcpHealth',
      'oauthResourceServer',
      'serveHttp',
    ],
  ],
  ['testing', ['connect', 'McpClient', 'RpcError', 'ConnectOptions']],
])('@toolwright/%s passes on these names of another package, and no other', (folder, passedOn) => {
  const text = read(`packages/${folder}/src/index.ts`);
  const lists = [...text.matchAll(/export \{([^}]*)\} from '@toolwright\/[^']+'/g)];
  const names = lists.flatMap(([, list]) => list!.match(/\b(?!type\b)\w+/g) ?? []);
  expect(names).toEqual(passedOn);
});
