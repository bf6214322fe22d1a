import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { readJsonFile } from '@toolwright/operate/terminal';
import { readDescription } from '../load-core.js';

/** What belongs to a file that is served alone. */
export interface PackageOfFile {
  readonly folder: string;
  /** What Node.js and TypeScript take its `.ts` files for. */
  readonly type: string;
}

/**
 * The package that a folder is in. Without one, it is the folder itself.
 *
 * @throws {CommandError} if its package.json is not JSON
 */
export function packageOf(folder: string, start = folder): PackageOfFile {
  const described = readJsonFile<{ type?: string }>(join(folder, 'package.json'));
  if (described) return { folder, type: described.value.type ?? 'commonjs' };
  const above = dirname(folder);
  return above === folder ? { folder: start, type: 'commonjs' } : packageOf(above, start);
}

/** The packages that this command brings: their names and folders. */
export function ownPackages(): [name: string, folder: string][] {
  const { dependencies = {} } = readDescription();
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@toolwright/'))
    .map((name) => [name, dirname(require.resolve(`${name}/package.json`))]);
}

/**
 * Where the types of those packages are, by what a file imports. Each file is named, because an ES module may not import
 * a folder.
 */
export function typesOfOwnPackages(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const [name, folder] of ownPackages()) {
    const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      exports?: Record<string, string | { types?: string }>;
    };
    for (const [entry, target] of Object.entries(exports))
      if (typeof target === 'object' && target.types)
        paths[posix.join(name, entry)] = [`./${posix.join('node_modules', name, target.types)}`];
  }
  return paths;
}

/** The types of Node.js: from the file's folder, or from the schema compiler. */
export function nodeTypes(folder: string): string | undefined {
  const compiler = createRequire(require.resolve('@toolwright/schema-compiler'));
  for (const from of [
    createRequire(join(folder, 'index.js')),
    compiler,
    createRequire(compiler.resolve('typescript-json-schema')),
  ]) {
    try {
      return join(dirname(from.resolve('@types/node/package.json')), 'index.d.ts');
    } catch {
      // The next one.
    }
  }
  return undefined;
}
