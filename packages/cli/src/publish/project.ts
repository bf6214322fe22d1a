import { join } from 'node:path';
import { currentText } from '../changes/current-text.js';
import { CommandError, exitCodes } from '../command-error.js';
import { isObject, type Json } from '../lint/directories/server-json/values.js';
import { sourceRepository, type SourceRepository } from './source-repository.js';

/** A JSON file with its text. */
export interface JsonFile {
  path: string;
  text: string;
  value: Json;
}

/** The project in a folder, as far as it matters for its publication. */
export interface Project {
  directory: string;
  package: JsonFile;
  name: string;
  version: string;
  /** Undefined before the first `publish registry`. */
  serverJson: JsonFile | undefined;
  repository: SourceRepository | undefined;
}

/** @throws {CommandError} if there is no package.json with a name and a version, or a file is no JSON object */
export function readProject(directory: string): Project {
  const described = readJson(join(directory, 'package.json'));
  if (!described) throw new CommandError(`There is no package.json in ${directory}.`, exitCodes.usage);
  const { name, version, repository } = described.value;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new CommandError(`${described.path} needs a name and a version.`, exitCodes.usage);
  return {
    ...{ directory, package: described, name, version },
    serverJson: readJson(join(directory, 'server.json')),
    repository: sourceRepository(repository),
  };
}

/** @throws {CommandError} if nobody has written a server.json yet */
export function serverJsonOf({ serverJson, directory }: Project): JsonFile {
  if (serverJson) return serverJson;
  throw new CommandError(
    `There is no server.json in ${directory}. Write it first: toolwright publish registry`,
    exitCodes.usage,
  );
}

/** True if the package depends on one of these packages. */
export function dependsOn({ package: { value } }: Project, ...names: string[]): boolean {
  const { dependencies } = value;
  return isObject(dependencies) && names.some((name) => name in dependencies);
}

function readJson(path: string): JsonFile | undefined {
  const text = currentText(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && !Array.isArray(value)) return { path, text, value };
  } catch {
    // The error below says the same, and names the file.
  }
  throw new CommandError(`${path} is no JSON object.`, exitCodes.usage);
}
