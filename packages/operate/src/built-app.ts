import { MANIFEST_FILE, hashSources, parseManifest } from '@toolwright/manifest';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CommandError, usageError } from './command-error.js';
import { readJsonFile } from './json-file.js';

/**
 * The file that starts a package: the file in a script such as `"start": "node dist/main.js"`, otherwise
 * `main`.
 *
 * @throws {CommandError} if its package.json is not JSON
 */
export function packageEntry(directory: string): string | undefined {
  const described = readJsonFile<{ scripts?: { start?: string }; main?: string }>(
    join(directory, 'package.json'),
  );
  const { scripts, main } = described?.value ?? {};
  return /^node\s+(?:--\S+\s+)*(\S+\.[cm]?js)\b/.exec(scripts?.start ?? '')?.[1] ?? main;
}

const usual = ['dist/main.js', 'dist/index.js', 'dist/server.js'];

/**
 * The compiled file that starts an app: the file that the user names, otherwise the one that `package.json`
 * starts, otherwise a file with a usual name.
 *
 * @throws {CommandError} if it does not exist, for example before the first build
 */
export function findBuild(named: string | undefined, directory: string): string {
  const wanted = named ?? packageEntry(directory);
  const candidates = wanted === undefined ? usual : [wanted];
  const found = candidates.map((name) => resolve(directory, name)).find((path) => existsSync(path));
  if (found === undefined)
    throw usageError(`There is no ${candidates.join(', ')}. Build first, or name the compiled file.`);
  if (!/\.[cm]?tsx?$/.test(found)) return found;
  throw usageError(
    `${wanted} is a source. Name its compiled file, such as dist/main.js, or use toolwright dev.`,
  );
}

/**
 * Refuses a manifest that was compiled from other sources than those beside it. An app that was edited and
 * not built would serve schemas that do not match its methods. Without sources, as in a container, there is
 * nothing to compare. Without a manifest, the server itself names the service that needs it.
 *
 * @param entry of the app; the manifest is that of its package
 * @throws {CommandError} that says what to do
 */
export function checkManifest(entry: string, cwd: string): void {
  const directory = packageOf(entry);
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) return;
  const { sources = [], sourceHash } = parseManifest(readFileSync(path, 'utf8'), path);
  if (!sources.some((source) => existsSync(join(directory, source)))) return;
  if (hashSources(directory, sources) === sourceHash) return;
  throw new CommandError(
    `${relative(cwd, path)} is older than the sources. Build first: tsc && toolwright build`,
  );
}

function packageOf(file: string): string {
  const directory = dirname(file);
  const isPackage = existsSync(join(directory, 'package.json')) || dirname(directory) === directory;
  return isPackage ? directory : packageOf(directory);
}
