import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { allPackages, publishedPackages } from './support/packages.js';

const packages = join(__dirname, '../../packages');
const privateNames = [...allPackages.values()].filter((each) => each.private).map(({ name }) => name);
/** The file of each private package in those that are not bundled. */
const own = new Set(privateNames.map((name) => `${name.split('/')[1]}.js`));
const folders = [...publishedPackages.keys()];

/** The compiled files of a package that are published. Of a bundled package, these are its bundles. */
function publishedFiles(folder: string): readonly string[] {
  const isBundled = publishedPackages.get(folder)!.main === './dist/bundle.js';
  const dist = join(packages, folder, 'dist');
  // An alias has no code of its own.
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.d\.ts$/.test(file) || (isBundled ? /^([\w-]+\.)?bundle\.js$/ : /\.js$/).test(file))
    .map((file) => join(dist, file));
}

test('there are private packages', () => {
  expect(privateNames).toContain('@toolwright/json');
});

test.each(folders)('%s is published without a name of a private package', (folder) => {
  const naming = publishedFiles(folder).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return privateNames.some((name) => text.includes(`'${name}'`) || text.includes(`"${name}"`));
  });
  expect(naming).toEqual([]);
});

const containing = folders.filter((folder) =>
  privateNames.some((name) => name in (publishedPackages.get(folder)!.devDependencies ?? {})),
);

// A private package brings its libraries along: they are dependencies of the package that contains it.
test.each(containing)('%s depends on every library that the code of private packages loads', (folder) => {
  const { name, dependencies = {}, peerDependencies = {} } = publishedPackages.get(folder)!;
  const there = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), name]);
  const loaded = publishedFiles(folder)
    .filter((file) => own.has(basename(file)) || file.endsWith('bundle.js'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\brequire\(["']([^."'][^"']*)["']\)/g)])
    .map(([, id]) => id!.split('/', id!.startsWith('@') ? 2 : 1).join('/'));
  const absent = new Set(loaded.filter((id) => !/^node:/.test(id) && !builtinModules.includes(id)));
  expect([...absent].filter((id) => !there.has(id))).toEqual([]);
});
