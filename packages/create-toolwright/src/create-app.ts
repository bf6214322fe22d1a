import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { appFiles } from './app-files.js';
import { folderInWorkspace } from './pnpm-workspace.js';
import { AppOptionsError, parseAppOptions, type AppOptions } from './app-options.js';

/** Where an app is created, and of what kind. */
export interface AppRequest {
  /** Absolute path. Its last part becomes the name of the app. The folder must be empty, or must not exist. */
  directory: string;
  /** The values of flags as typed; see `AppOptions`. */
  words: Record<string, unknown>;
}

/** The files that were written. */
export interface CreatedApp {
  /** The paths, relative to the folder. */
  files: string[];
  options: AppOptions;
}

/**
 * Writes the files of an app. It installs nothing.
 *
 * @throws {AppOptionsError} if the folder is not empty, or the words are wrong
 */
export function createApp({ directory, words }: AppRequest): CreatedApp {
  const problem = findFolderProblem(directory);
  if (problem !== undefined) throw new AppOptionsError(problem);
  const options = parseAppOptions(words);
  const files = appFiles(basename(directory), options, folderInWorkspace(directory));
  if (isInRepository(dirname(directory))) files.delete(workflow);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    // The folder was empty. What is there by now is not ours, nor is what a link there leads to.
    writeFileSync(join(directory, path), text, { flag: 'wx' });
  }
  return { files: [...files.keys()], options };
}

/** GitHub looks for workflows at the root of a repository only. */
const workflow = '.github/workflows/ci.yml';

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));

/** Says why no app can be created in a folder; undefined if it can. */
export function findFolderProblem(directory: string): string | undefined {
  const name = basename(directory);
  // A name that npm accepts needs no quotes in TypeScript, JSON or a shell.
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    return `${name} is no name for a package: use small letters, digits and dashes.`;
  if (!existsSync(directory)) return undefined;
  if (!statSync(directory).isDirectory()) return `${directory} is a file.`;
  return readdirSync(directory).length > 0 ? `${directory} is not empty.` : undefined;
}
