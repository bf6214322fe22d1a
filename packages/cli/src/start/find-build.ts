import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError, exitCodes } from '../command-error.js';

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
    throw new CommandError(`There is no ${named}.`, exitCodes.usage);
  }
  const started = packageEntry(directory);
  if (started !== undefined) return resolve(directory, started);
  const found = usualSources.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new CommandError(
    'package.json does not say which file starts the app. Name the file: toolwright dev src/app.ts',
    exitCodes.usage,
  );
}

/**
 * The file that starts a package: the file in a script such as `"start": "node dist/main.js"`, otherwise
 * `main`.
 */
export function packageEntry(directory: string): string | undefined {
  try {
    const { scripts, main } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
      scripts?: { start?: string };
      main?: string;
    };
    return /^node\s+(?:--\S+\s+)*(\S+\.[cm]?js)\b/.exec(scripts?.start ?? '')?.[1] ?? main;
  } catch {
    return undefined;
  }
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
