import { join } from 'node:path';

const { default: LongestFirst } = jest.requireActual<{
  default: new (options: object) => { sort(tests: readonly object[]): { path: string }[] };
}>('../longest-first.mjs');

const context = {
  config: { id: 'none', cacheDirectory: join(__dirname, 'no-such-folder') },
  hasteFS: { getSize: (path: string) => path.length },
};

test('on a new clone, the test files that are known to take long begin first', () => {
  const paths = [
    'packages/manifest/src/shape.test.ts',
    'packages/console/test/tools-pane.test.ts',
    'docs/.vitepress/test/site.test.ts',
    'packages/cli/test/compile.test.ts',
  ];
  const tests = paths.map((path) => ({ path: join(__dirname, '../..', path), context }));
  const sorted = new LongestFirst({ contexts: [], globalConfig: {} }).sort(tests);
  const order = sorted.map(({ path }) => paths.findIndex((each) => path.endsWith(each)));
  expect(order).toEqual([2, 3, 1, 0]);
});
