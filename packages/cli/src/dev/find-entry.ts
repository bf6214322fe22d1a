import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageEntry } from '@toolwright/operate';
import { usageError } from '@toolwright/operate/terminal';

const usualSources = ['src/main.ts', 'src/index.ts', 'src/server.ts', 'main.ts', 'index.ts', 'server.ts'];

/**
 * The file that starts the app: the file that the user names, otherwise the one that `package.json` starts,
 * otherwise a file with a usual name.
 *
 * @param directory of the project
 * @returns absolute path of a source or a compiled file
 * @throws {CommandError} if there is none
 */
export function findEntry(named: string | undefined, directory: string, cwd: string): string {
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (existsSync(path)) return path;
    throw usageError(`There is no ${named}.`);
  }
  const started = packageEntry(directory);
  if (started !== undefined) return resolve(directory, started);
  const found = usualSources.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw usageError(
    'package.json does not say which file starts the app. Name the file: toolwright dev src/app.ts',
  );
}
