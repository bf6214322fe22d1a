import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hashSources, MANIFEST_FILE, parseManifest } from '@toolwright/manifest';
import { CommandError } from '../command-error.js';

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
