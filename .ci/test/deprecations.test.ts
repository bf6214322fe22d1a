import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deprecationsOf } from './support/deprecations.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const sources = readdirSync(join(root, 'packages')).flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?ts$/.test(file) && !/\.test\.ts$/.test(file))
    .map((file) => `packages/${name}/src/${file}`),
);
const withTag = sources
  .map((file) => [file, read(file)] as const)
  .filter(([, text]) => /@deprecated\b/.test(text));
const deprecations = withTag.flatMap(([file, text]) =>
  deprecationsOf(file, text).map((deprecation) => [`${deprecation.name} of ${file}`, deprecation] as const),
);
const values = deprecations.filter(([, { isType }]) => !isType);

/** The release that is being made. */
const next = Object.keys(JSON.parse(read('docs/versions.json')) as object)[0]!;
const numberOf = (version: string) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);

const form = /^Use `(\w+)`(?: of `(@toolwright\/[a-z-]+)`)?\. It goes with (\d+\.\d+)\.$/;

test('there are deprecated names to look at', () => {
  expect(deprecations.length).toBeGreaterThan(10);
  expect(values.length).toBeGreaterThan(3);
});

describe.each(deprecations)('%s', (_place, { advice, siblings }) => {
  const [, replacement = '', home, goes = ''] = form.exec(advice) ?? [];

  test('names its replacement, and the version in which it goes', () => {
    expect(advice).toMatch(form);
  });

  test('has a replacement', () => {
    const offered = home === undefined ? siblings : exportsOf(home);
    expect(offered).toContain(replacement);
  });

  test('goes with a version that is still to come', () => {
    expect(numberOf(goes)).toBeGreaterThan(numberOf(next));
  });
});

/** What a package exports, types included, as its API report lists it. */
function exportsOf(name: string): string[] {
  const report = read(`packages/${name.replace('@toolwright/', '')}/api.md`);
  return [...report.matchAll(/^export (?:declare )?(?:abstract )?\w+ (\w+)/gm)].map(([, each]) => each!);
}

describe.each(values)('%s, at run time', (_place, { advice, name, warning }) => {
  test('warns as Node.js does, and says the same', () => {
    const [, , home, goes] = form.exec(advice) ?? [];
    expect(warning).toEqual({
      code: expect.stringMatching(/^TWDEP\d{3}$/),
      text: expect.stringMatching(
        new RegExp(`^${name} of .* now in ${home}\\. The old name goes with ${goes}\\.$`),
      ),
    });
  });
});

test('each code of a warning stands once in the sources, and in the guide for upgrading', () => {
  const codes = sources.flatMap((file) => read(file).match(/\bTWDEP\d{3}\b/g) ?? []);
  expect(codes.length).toBeGreaterThan(3);
  expect(codes).toEqual([...new Set(codes)]);
  const explained = new Set(read('docs/upgrading.md').match(/\bTWDEP\d{3}\b/g));
  expect([...explained].sort()).toEqual(codes.sort());
});

test.each([
  ['express', ['mcpExpress', 'drainOnSignal', 'mcpReady', 'type DrainedApp', 'type DrainOnSignalOptions']],
  ['testing', ['connect', 'McpClient', 'RpcError', 'type ConnectOptions']],
])('@toolwright/%s passes on no name of another package that is not deprecated, but these', (folder, own) => {
  const text = read(`packages/${folder}/src/index.ts`);
  const lists = [...text.matchAll(/export \{([^}]*)\} from '(?:@toolwright\/[^']+|\.\/mcp-express\.js)'/g)];
  const names = lists.flatMap(([, list]) => list!.split(',')).map((name) => name.trim());
  expect(names.filter((name) => name !== '' && !name.includes('@deprecated'))).toEqual(own);
});

test('a deprecation without a replacement or a version is found', () => {
  const found = deprecationsOf(
    'a.ts',
    `export interface A {
       b: string;
       /** @deprecated Use \`b\`. */
       c: string;
     }
     /** @deprecated It is old. */
     export const d = () => 1;
     export { /** @deprecated Use \`f\` of \`@toolwright/core\`. It goes with 0.3. */ type e } from './e.js';`,
  );
  expect(found).toEqual([
    { name: 'c', advice: 'Use `b`.', siblings: ['b', 'c'], warning: undefined, isType: true },
    { name: 'd', advice: 'It is old.', siblings: [], warning: undefined, isType: false },
    {
      name: 'e',
      advice: 'Use `f` of `@toolwright/core`. It goes with 0.3.',
      siblings: [],
      warning: undefined,
      isType: true,
    },
  ]);
});
