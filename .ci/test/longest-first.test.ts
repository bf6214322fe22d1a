import { join } from 'node:path';

const { default: LongestFirst, allowedSeconds } = jest.requireActual<{
  default: new (options: object) => { sort(tests: readonly object[]): { path: string }[] };
  allowedSeconds(text: string): number;
}>('../longest-first.mjs');

const context = {
  config: { id: 'none', cacheDirectory: join(__dirname, 'no-such-folder') },
  hasteFS: { getSize: (path: string) => path.length },
};
const order = (paths: string[]) => {
  const tests = paths.map((path) => ({ path: join(__dirname, '../..', path), context }));
  const sorted = new LongestFirst({ contexts: [], globalConfig: {} }).sort(tests);
  return sorted.map(({ path }) => paths.findIndex((each) => path.endsWith(each)));
};

test('test files that allow themselves more time begin first', () => {
  const paths = [
    'packages/manifest/src/shape.test.ts',
    '.ci/test/snippets.test.ts',
    'docs/.vitepress/test/site.test.ts',
    'packages/console/test/tools-pane.test.ts',
  ];
  expect(order(paths)).toEqual([2, 3, 1, 0]);
});

test.each([
  ["jest.setTimeout(60_000);\ntest('one', () => {\n}, 120_000);\n", 120],
  ["test('one', () => {\n  setTimeout(close, 90);\n});\n", 0],
  ["describeInChromium('a page', () => {});\n", 120],
])('the largest limit in a file counts (%#)', (text, seconds) => {
  expect(allowedSeconds(text)).toBe(seconds);
});
