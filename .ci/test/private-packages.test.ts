import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
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
  expect(privateNames).toEqual(
    expect.arrayContaining(['@toolwright/ground', '@toolwright/json', '@toolwright/wire']),
  );
});

test.each(folders)('%s is published without a name of a private package', (folder) => {
  const naming = publishedFiles(folder).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return privateNames.some((name) => new RegExp(`["']${name}["'/]`).test(text));
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

/** The sources of a package and their tests, without the ending of each. */
function sourcesOf(folder: string): readonly string[] {
  return ['src', 'test']
    .map((room) => join(packages, folder, room))
    .filter(existsSync)
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
}

const withoutIndex = [...allPackages]
  .filter(([folder, each]) => each.private && !existsSync(join(packages, folder, 'src/index.ts')))
  .map(([folder]) => folder);

// Every file of such a package is a way in, and knip takes what ways in export for used.
test.each(withoutIndex)('%s exports only what another file imports', (folder) => {
  const { name } = allPackages.get(folder)!;
  const users = [...allPackages].filter(([, { devDependencies = {} }]) => name in devDependencies);
  const used = new Set<string>();
  for (const file of [folder, ...users.map(([user]) => user)].flatMap(sourcesOf))
    for (const [, list, all, path] of readFileSync(`${file}.ts`, 'utf8').matchAll(
      /(?:\{([^}]*)\}|(\* as \w+)) from '([^']+)';/g,
    )) {
      const source = path!.startsWith(`${name}/`)
        ? join(packages, folder, 'src', path!.slice(name.length + 1))
        : join(dirname(file), path!.replace(/\.js$/, ''));
      for (const item of all ? ['*'] : list!.split(','))
        used.add(
          `${source} ${
            item
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]
          }`,
        );
    }
  const unused = sourcesOf(folder).flatMap((file) => {
    const text = readFileSync(`${file}.ts`, 'utf8');
    const exported = text.matchAll(
      /^export (?:abstract |async )?(?:class|const|function\*?|interface|type) (\w+)/gm,
    );
    return Array.from(exported, ([, each]) => each!)
      .filter((each) => !used.has(`${file} ${each}`) && !used.has(`${file} *`))
      .filter((each) => text.match(new RegExp(`\\b${each}\\b`, 'g'))!.length === 1)
      .map((each) => `${file.slice(packages.length + 1)}.ts: ${each}`);
  });
  expect(used.size).toBeGreaterThan(50);
  expect(unused).toEqual([]);
});
