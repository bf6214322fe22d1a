import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../../../../../.ci/test/support/temporary-folder.js';
import { productionTree } from './production-tree.js';

let project: string;

beforeEach(() => (project = temporaryFolder()));

function put(folder: string, description: object): void {
  mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, folder, 'package.json'), JSON.stringify(description));
}

const tree = () =>
  Object.fromEntries(productionTree(project).map(({ from, to }) => [to, relative(project, from)]));

test('only what production needs is taken, each package once', () => {
  put('.', { dependencies: { a: '1', b: '1' }, devDependencies: { tool: '1' } });
  put('node_modules/a', { dependencies: { shared: '1' } });
  put('node_modules/b', { dependencies: { shared: '1', a: '1' } });
  put('node_modules/shared', {});
  put('node_modules/tool', {});
  expect(tree()).toEqual({
    '': '',
    'node_modules/a': 'node_modules/a',
    'node_modules/b': 'node_modules/b',
    'node_modules/shared': 'node_modules/shared',
  });
});

test('another version goes below the package that needs it, and its own needs find theirs', () => {
  put('.', { dependencies: { a: '1', shared: '2' } });
  put('node_modules/shared', {});
  put('node_modules/a', { dependencies: { shared: '1', deep: '1' } });
  put('node_modules/a/node_modules/shared', {});
  put('node_modules/a/node_modules/deep', { dependencies: { shared: '1' } });
  expect(tree()).toMatchObject({
    'node_modules/shared': 'node_modules/shared',
    'node_modules/a/node_modules/shared': 'node_modules/a/node_modules/shared',
    'node_modules/deep': 'node_modules/a/node_modules/deep',
    // At the top it would see the other version.
    'node_modules/deep/node_modules/shared': 'node_modules/a/node_modules/shared',
  });
});

test('packages behind links are found from their real place, as pnpm installs them', () => {
  put('.', { dependencies: { '@acme/a': '1' } });
  put('.store/a/node_modules/@acme/a', { dependencies: { b: '1' }, peerDependencies: { c: '1' } });
  put('.store/a/node_modules/b', {});
  put('.store/a/node_modules/c', {});
  mkdirSync(join(project, 'node_modules/@acme'), { recursive: true });
  symlinkSync(join(project, '.store/a/node_modules/@acme/a'), join(project, 'node_modules/@acme/a'));
  expect(tree()).toEqual({
    '': '',
    'node_modules/@acme/a': '.store/a/node_modules/@acme/a',
    'node_modules/b': '.store/a/node_modules/b',
    'node_modules/c': '.store/a/node_modules/c',
  });
});

test('circles end', () => {
  put('.', { dependencies: { a: '1' } });
  put('node_modules/a', { dependencies: { b: '1' } });
  put('node_modules/b', { dependencies: { a: '1' } });
  expect(Object.keys(tree())).toEqual(['', 'node_modules/a', 'node_modules/b']);
});

test('a missing package is an error, unless it is optional', () => {
  const peers = { peerDependencies: { d: '1' }, peerDependenciesMeta: { d: { optional: true } } };
  put('.', { optionalDependencies: { a: '1' }, ...peers });
  expect(Object.keys(tree())).toEqual(['']);
  put('.', { dependencies: { b: '1' } });
  expect(tree).toThrow('b is not installed');
});
