import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, exitCodes } from '../command-error.js';
import { packageEntry } from './package-entry.js';

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
    throw new CommandError(
      `There is no ${candidates.join(', ')}. Build first, or name the compiled file.`,
      exitCodes.usage,
    );
  if (!/\.[cm]?tsx?$/.test(found)) return found;
  throw new CommandError(
    `${wanted} is a source. Name its compiled file, such as dist/main.js, or use toolwright dev.`,
    exitCodes.usage,
  );
}
