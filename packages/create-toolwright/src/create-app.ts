import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { appFiles } from './app-files.js';
import { AppOptionsError, parseAppOptions, type AppOptions } from './app-options.js';

/** Where an app is made, and of what kind. */
export interface AppRequest {
  /** Absolute path; its last part becomes the app's name. The folder must be empty, or must not exist. */
  directory: string;
  /** `transport`, `auth` and `db` as typed; see `AppOptions`. */
  words: Record<string, unknown>;
}

/** What was written. */
export interface CreatedApp {
  /** Paths, relative to the folder. */
  files: string[];
  options: AppOptions;
}

/**
 * Writes the files of an app and installs nothing.
 *
 * @throws {AppOptionsError} the folder holds something, or the words cannot be followed
 */
export function createApp({ directory, words }: AppRequest): CreatedApp {
  const fault = findFolderFault(directory);
  if (fault !== undefined) throw new AppOptionsError(fault);
  const options = parseAppOptions(words);
  const files = appFiles(basename(directory), options);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return { files: [...files.keys()], options };
}

/** Why no app can be made in a folder; undefined when one can. */
export function findFolderFault(directory: string): string | undefined {
  const name = basename(directory);
  // A name that npm accepts needs no quoting in TypeScript, JSON or a shell either.
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    return `${name} is no name for a package: use small letters, digits and dashes.`;
  if (!existsSync(directory)) return undefined;
  if (!statSync(directory).isDirectory()) return `${directory} is a file.`;
  return readdirSync(directory).length > 0 ? `${directory} is not empty.` : undefined;
}
