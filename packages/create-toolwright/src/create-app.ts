import { makeFolder } from '@toolwright/json';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { appFiles } from './app-files.js';
import { folderInWorkspace } from './pnpm-workspace.js';
import { AppOptionsError, parseAppOptions, type AppOptions } from './app-options.js';

/** Where an app is created, and of what kind. */
export interface AppRequest {
  /** Absolute path. The folder must be empty, or must not exist; a new repository of git counts as empty. */
  directory: string;
  /** The name of the package, such as `@acme/orders`. Default: the folder's, with the scope of the folder around it. */
  name?: string;
  /** The values of flags as typed, by the names of `AppOptions`. */
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
export function createApp({ directory, name = nameFor(directory), words }: AppRequest): CreatedApp {
  const problem = findNameProblem(name) ?? findFolderProblem(directory);
  if (problem !== undefined) throw new AppOptionsError(problem);
  const options = parseAppOptions(words);
  const files = appFiles(name, options, folderInWorkspace(directory));
  if (isInRepository(dirname(directory))) files.delete(workflow);
  for (const [path, text] of files) {
    makeFolder(dirname(join(directory, path)));
    // The folder was empty. What is there by now is not ours, nor is what a link there leads to.
    writeFileSync(join(directory, path), text, { flag: 'wx' });
  }
  return { files: [...files.keys()], options };
}

/** GitHub looks for workflows at the root of a repository only. */
const workflow = '.github/workflows/ci.yml';

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));

/** `@acme/orders` for a folder `orders` in a folder `@acme`. */
export function nameFor(directory: string): string {
  const scope = basename(dirname(directory));
  return scope.startsWith('@') ? `${scope}/${basename(directory)}` : basename(directory);
}

/** Says why npm allows no package of this name; undefined if it does. */
export function findNameProblem(name: string): string | undefined {
  // A name that npm accepts needs no quotes in TypeScript, JSON or a shell.
  if (/^(?!node_modules$|favicon\.ico$)(@[a-z0-9][a-z0-9._-]{0,99}\/)?[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    return undefined;
  return `${name || 'An empty text'} is no name for a package: use small letters, digits and dashes, behind a scope or without one: @acme/orders. --name gives one that differs from the folder's.`;
}

/** Says why no app can be created in a folder; undefined if it can. */
export function findFolderProblem(directory: string): string | undefined {
  if (!existsSync(directory)) return undefined;
  if (!statSync(directory).isDirectory()) return `${directory} is a file.`;
  const held = readdirSync(directory).filter((entry) => entry !== '.git');
  return held.length > 0
    ? `${directory} is not empty: it has ${held.slice(0, 3).join(', ')}. Name a folder that is new, or move them away and back: the app has files of its own.`
    : undefined;
}
