import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { appFiles } from './app-files.js';
import { AppOptionsError, parseAppOptions } from './app-options.js';

/** Where an app is made, and of what kind. */
export interface AppRequest {
  /** Absolute path; its last part becomes the app's name. The folder must be empty or not there. */
  directory: string;
  /** `transport`, `auth` and `db` as typed; see `AppOptions`. */
  words: Record<string, unknown>;
}

/**
 * Writes the files of an app and installs nothing.
 *
 * @returns the paths of the files, relative to the folder
 * @throws {AppOptionsError} the folder holds something, or the words cannot be followed
 */
export function createApp({ directory, words }: AppRequest): string[] {
  const name = basename(directory);
  // A name that npm accepts needs no quoting in TypeScript, JSON or a shell either.
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    throw new AppOptionsError(`${name} is no name for a package: use small letters, digits and dashes.`);
  const files = appFiles(name, parseAppOptions(words));
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new AppOptionsError(`${directory} is not empty.`);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return [...files.keys()];
}
