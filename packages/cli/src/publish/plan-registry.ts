import { join } from 'node:path';
import { type FileChange, jsonText } from '../changes/file-change.js';
import { usageError } from '@toolwright/operate/terminal';
import { type Json, listOf } from '../lint/directories/requirement.js';
import { sources } from '../lint/lint-problem.js';
import { isSecretText, looksSecret } from '@toolwright/json';
import { splitVariable } from '../remote/server-to-install.js';
import type { Missing } from './missing.js';
import { type PublishedProject, dependsOn } from './project.js';

/** What the options say about the server. Everything else comes from the files. */
export interface RegistryWords {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Public addresses of the endpoint. */
  readonly remote: readonly string[];
  /** `NAME`, or `NAME=default`. */
  readonly env: readonly string[];
  readonly argument: readonly string[];
}

/**
 * Plans server.json, and `mcpName` in package.json. It keeps everything in server.json that neither the options nor
 * package.json decide.
 *
 * @param missing gets a name that nobody knows, and options that are wrong; the plan is then not for writing
 */
export function planRegistry(
  project: PublishedProject,
  words: RegistryWords,
  missing: Missing,
): FileChange[] {
  const before = project.serverJson?.value ?? {};
  const name =
    words.name ??
    textOf(before['name']) ??
    textOf(project.package.value['mcpName']) ??
    missing.check(() => derivedName(project)) ??
    exampleName(project);
  const packages = plannedPackages(project, {
    env: words.env.flatMap((word) => missing.check(() => [environmentVariable(word)]) ?? []),
    argument: words.argument.flatMap((word) => missing.check(() => [packageArgument(word)]) ?? []),
  });
  const remotes = plannedRemotes(listOf(before['remotes']), words.remote);
  // The keys of a file that exists keep their order.
  const server = {
    ...before,
    $schema: sources.registrySchema,
    name,
    title: words.title ?? before['title'],
    description: words.description ?? before['description'] ?? project.package.value['description'],
    version: project.version,
    websiteUrl: before['websiteUrl'] ?? homepageOf(project),
    repository: before['repository'] ?? repositoryOf(project),
    packages: packages.length > 0 ? packages : undefined,
    remotes: remotes.length > 0 ? remotes : undefined,
  };
  return [planServerJson(project, server), ...planMcpName(project, name, packages)];
}

/** A new server.json. It differs from the present one if its value does. */
export function planServerJson({ directory, serverJson }: PublishedProject, value: Json): FileChange {
  const path = join(directory, 'server.json');
  const isSame = serverJson && JSON.stringify(value) === JSON.stringify(serverJson.value);
  return {
    path,
    before: serverJson?.text,
    after: isSame ? serverJson.text : jsonText(value, serverJson?.text),
  };
}

/** The options of the program, as server.json describes them. */
interface Inputs {
  env: Json[];
  argument: Json[];
}

function plannedPackages(project: PublishedProject, inputs: Inputs): Json[] {
  const { name, version, serverJson } = project;
  const before = listOf(serverJson?.value['packages']);
  const listed = before.map((one) =>
    isOwn(one, name) ? { ...one, version } : moveTo(version, one, serverJson!.value),
  );
  const isNew = project.package.value['private'] !== true && !before.some((one) => isOwn(one, name));
  return [...(isNew ? [npmPackage(project)] : []), ...listed].map((one) => withInputs(one, inputs));
}

const isOwn = ({ registryType, identifier }: Json, name: string) =>
  registryType === 'npm' && identifier === name;

/** The identifier of an image or a bundle contains its version. */
export function moveTo(version: string, one: Json, { version: old }: Json): Json {
  const isVersioned =
    (one['registryType'] === 'oci' || one['registryType'] === 'mcpb') && typeof old === 'string';
  return isVersioned ? { ...one, identifier: String(one['identifier']).replaceAll(old, version) } : one;
}

function npmPackage(project: PublishedProject): Json {
  const { name, version } = project;
  const described = { registryType: 'npm', identifier: name, version, runtimeHint: 'npx' };
  if (dependsOn(project, '@toolwright/stdio')) return { ...described, transport: { type: 'stdio' } };
  return {
    ...described,
    transport: { type: 'streamable-http', url: 'http://127.0.0.1:{PORT}/mcp' },
    environmentVariables: [
      { name: 'PORT', description: 'The port on which the server listens', default: '3000' },
    ],
  };
}

/** Variables of the same name are replaced; arguments are added once. */
function withInputs(one: Json, { env, argument }: Inputs): Json {
  const names = env.map(({ name }) => name);
  const kept = listOf(one['environmentVariables']).filter(({ name }) => !names.includes(name));
  const before = listOf(one['packageArguments']);
  const known = before.map((each) => JSON.stringify(each));
  const added = argument.filter((each) => !known.includes(JSON.stringify(each)));
  return {
    ...one,
    ...(env.length > 0 && { environmentVariables: [...kept, ...env] }),
    ...(added.length > 0 && { packageArguments: [...before, ...added] }),
  };
}

function plannedRemotes(before: Json[], urls: readonly string[]): Json[] {
  const known = before.map(({ url }) => url);
  return [
    ...before,
    ...urls.filter((url) => !known.includes(url)).map((url) => ({ type: 'streamable-http', url })),
  ];
}

/** npm packages prove with `mcpName` that they belong to the name in the registry. */
function planMcpName(
  { package: { path, text, value } }: PublishedProject,
  mcpName: string,
  packages: Json[],
): FileChange[] {
  const isNeeded = packages.some((one) => isOwn(one, String(value['name'])));
  if (!isNeeded || value['mcpName'] === mcpName) return [];
  const after = Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      if (key === 'mcpName') return [];
      return key === 'version'
        ? [
            [key, one],
            ['mcpName', mcpName],
          ]
        : [[key, one]];
    }),
  );
  return [{ path, before: text, after: jsonText(after, text) }];
}

/** Who publishes from GitHub owns the name space of the account. */
function derivedName(project: PublishedProject): string {
  const { repository } = project;
  if (repository?.source === 'github') return `io.github.${repository.owner}/${shortName(project)}`;
  throw usageError(
    `Pass --name, such as ${exampleName(project)}: package.json names no repository on GitHub, so nobody knows your name space.`,
  );
}

const shortName = ({ name }: PublishedProject) => name.split('/').at(-1)!;
const exampleName = (project: PublishedProject) => `com.example/${shortName(project)}`;

function repositoryOf({ repository }: PublishedProject): Json | undefined {
  if (!repository) return undefined;
  const { url, source, subfolder } = repository;
  return { url, source, ...(subfolder !== undefined && { subfolder }) };
}

function homepageOf({ package: { value } }: PublishedProject): string | undefined {
  const homepage = textOf(value['homepage']);
  return homepage?.startsWith('https://') ? homepage : undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * A variable of the environment as server.json describes it: `NAME` for one that people must give, and that is
 * secret; `NAME=value` for one with a default.
 *
 * @throws {CommandError} if the word has another form, or the default looks like a secret
 */
function environmentVariable(word: string): Json {
  const [name, value] = splitVariable(word);
  if (value === undefined) return { name, isRequired: true, isSecret: true };
  if (looksSecret(name, value)) throw secret(`--env ${name}`, `--env ${name}`);
  return { name, default: value };
}

/**
 * An argument of the program: `--stdio` is a flag, everything else a value.
 *
 * @throws {CommandError} if it looks like a secret
 */
function packageArgument(word: string): Json {
  const [, flag, value] = /^(--?[^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
  const isSecret =
    flag === undefined ? isSecretText(word) : looksSecret(flag.replace(/^-+/, ''), value ?? '');
  if (isSecret) throw secret('An --argument', '--env NAME');
  if (flag === undefined) return { type: 'positional', value: word };
  return { type: 'named', name: flag, ...(value !== undefined && { value }) };
}

/** The message does not repeat the value, because terminals are recorded. */
const secret = (what: string, instead: string) =>
  usageError(
    `${what} looks like a secret, and everybody can read server.json. Pass only the name: ${instead}. Hosts then ask for the value.`,
  );
