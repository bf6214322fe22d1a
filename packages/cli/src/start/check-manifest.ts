import { MANIFEST_FILE, hashSources, parseManifest } from '@toolwright/manifest';
import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, relative } from 'node:path';
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

/**
 * Runs a file in this process as if Node.js had been started with it. The app handles signals and exit codes
 * itself, and a container has one process. This works for CommonJS and ES modules.
 */
export function runApp(entry: string, args: readonly string[]): void {
  process.env['NODE_ENV'] ??= 'production';
  // Stack traces show the sources if the build has source maps.
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0]!, entry, ...args];
  // The command's own handling of a closed output must not affect the app.
  process.stdout.removeAllListeners('error');
  (Module as unknown as { runMain(): void }).runMain();
}
