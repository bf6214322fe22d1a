import { join } from 'node:path';
import { type JsonFile, readJsonFile, usageError } from '@toolwright/operate/terminal';
import { isObject } from '../lint/directories/requirement.js';

/** The project in a folder, as far as it matters for its publication. */
export interface PublishedProject {
  directory: string;
  package: JsonFile;
  name: string;
  version: string;
  /** Undefined before the first `publish registry`. */
  serverJson: JsonFile | undefined;
  repository: SourceRepository | undefined;
}

/** @throws {CommandError} if there is no package.json with a name and a version, or a file is not a JSON object */
export function readProject(directory: string): PublishedProject {
  const described = readJsonFile(join(directory, 'package.json'));
  if (!described) throw usageError(`There is no package.json in ${directory}.`);
  const { name, version, repository } = described.value;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw usageError(`${described.path} needs a name and a version.`);
  return {
    directory,
    package: described,
    name,
    version,
    serverJson: readJsonFile(join(directory, 'server.json')),
    repository: sourceRepository(repository),
  };
}

/** @throws {CommandError} if nobody has written a server.json yet */
export function serverJsonOf({ serverJson, directory }: PublishedProject): JsonFile {
  if (serverJson) return serverJson;
  throw usageError(`There is no server.json in ${directory}. Write it first: toolwright publish registry`);
}

/** True if the package depends on one of these packages. */
export function dependsOn({ package: { value } }: PublishedProject, ...names: string[]): boolean {
  const { dependencies } = value;
  return isObject(dependencies) && names.some((name) => name in dependencies);
}

/** The repository with the sources of a package, as `package.json` names it. */
interface SourceRepository {
  url: string;
  source: 'github' | 'gitlab';
  owner: string;
  name: string;
  subfolder?: string;
}

const ADDRESS =
  /^(?:git\+)?(?:https?:\/\/|ssh:\/\/git@|git:\/\/|git@)(github|gitlab)\.com[/:](.+?)(?:\.git)?\/?$/;
const SHORT = /^(?:(github|gitlab):)?([\w.-]+\/[\w./-]+)$/;

/** Reads `repository` of a package.json, in each of the forms that npm takes. Undefined for other forges. */
export function sourceRepository(repository: unknown): SourceRepository | undefined {
  const { url, directory } = (
    typeof repository === 'object' && repository !== null ? repository : { url: repository }
  ) as { url?: unknown; directory?: unknown };
  const [, source = 'github', path] = ADDRESS.exec(String(url)) ?? SHORT.exec(String(url)) ?? [];
  const names = path?.split('/') ?? [];
  if (names.length < 2) return undefined;
  return {
    url: `https://${source}.com/${path}`,
    source: source as SourceRepository['source'],
    owner: names.slice(0, -1).join('/'),
    name: names.at(-1)!,
    ...(typeof directory === 'string' && { subfolder: directory.replace(/^\.\//, '') }),
  };
}
