import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publishedPackages } from './support/packages.js';

const packages = join(__dirname, '../../packages');

/** Packages that a package's declarations import, as far as they are reached from its entries. */
function importedByTypes(entries: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const imported = new Set<string>();
  for (let files = [...entries], file = files.pop(); file !== undefined; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    // Examples in comments import what the reader has.
    const text = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\//g, '');
    for (const [, name] of text.matchAll(/(?:from |import\(|^import )["']([^"']+)["']/gm)) {
      if (name!.startsWith('.')) files.push(join(dirname(file), name!.replace(/\.js$/, '.d.ts')));
      else imported.add(name!.split('/', name!.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return imported;
}

/** The declarations of all entries of a package. */
function entriesOf(folder: string): readonly string[] {
  const { exports = {} } = publishedPackages.get(folder)!;
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'object' && entry.types ? [join(packages, folder, entry.types)] : [],
  );
}

const published = [...publishedPackages.keys()].filter((folder) => entriesOf(folder).some(existsSync));

// An import that leads nowhere is an error in every app that is compiled without `skipLibCheck`.
test.each(published)('the declarations of %s import only what is installed with it', (folder) => {
  const manifest = publishedPackages.get(folder)!;
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta: meta = {} } = manifest;
  const required = Object.keys(peerDependencies).filter((peer) => !meta[peer]?.optional);
  const there = new Set([manifest.name, ...Object.keys(dependencies), ...required]);
  const imported = [...importedByTypes(entriesOf(folder))];
  expect(imported.filter((each) => !each.startsWith('node:') && !there.has(each))).toEqual([]);
});
