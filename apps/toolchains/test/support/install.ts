import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Package {
  dependencies?: Record<string, string>;
}

/**
 * Copies packages into a `node_modules` as npm would install them: what they publish, their dependencies, and no
 * optional peer. The packages of this repository are links, and beside those the peers can always be found.
 *
 * @param from a folder in which all of them are installed
 */
export function install(names: readonly string[], { from, into }: { from: string; into: string }): void {
  for (const name of names) installOne(name, join(from, 'package.json'), into);
}

function installOne(name: string, from: string, into: string): void {
  const target = join(into, name);
  if (existsSync(target)) return;
  const source = directoryOf(name, from);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, {
    recursive: true,
    filter: (path) => !path.startsWith(join(source, 'node_modules')),
  });
  const { dependencies = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Package;
  for (const each of Object.keys(dependencies)) installOne(each, join(source, 'package.json'), into);
}

function directoryOf(name: string, from: string): string {
  const folder = createRequire(from)
    .resolve.paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(path));
  if (folder === undefined) throw new Error(`${name} is not installed beside ${from}.`);
  return realpathSync(folder);
}
