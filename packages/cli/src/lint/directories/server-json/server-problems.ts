import { looksSecret, readUrl } from '@toolwright/json';
import { sources } from '../../lint-problem.js';
import type { DirectoryListing } from '../listing.js';
import { type Json, isObject, isOneVersion, isText, listOf, unless } from '../requirement.js';

/** One slash, between a name space of at least two words, such as `io.github.ann`, and the name of the server. */
const NAME = /^[a-z0-9](?:[a-z0-9-]*\.)+[a-z0-9-]*[a-z0-9]\/[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const LONGEST_NAME = 200;
const LONGEST_TITLE = 100;
const LONGEST_ADDRESS = 255;
const REPOSITORIES: Record<string, RegExp> = {
  github: /^https?:\/\/(www\.)?github\.com\/[\w.-]+\/[\w.-]+\/?$/,
  gitlab: /^https?:\/\/(www\.)?gitlab\.com\/[\w.-]+(\/[\w.-]+)+\/?$/,
};

/** The longest description of a server. The registry refuses longer ones. */
const LONGEST_DESCRIPTION = 100;

export const isServerName = (value: unknown): value is string =>
  isText(value, LONGEST_NAME) && NAME.test(value);

/** What the schema says about the server as a whole. */
export function serverProblems(serverJson: Json): string[] {
  const { $schema, name, description, version, title, packages, remotes } = serverJson;
  return [
    ...unless(isText($schema), `$schema in server.json is missing: it is ${sources.registrySchema}.`),
    ...unless(
      isServerName(name),
      'name in server.json must be a name space, one slash and a name, such as io.github.ann/notes.',
    ),
    ...unless(
      isText(description, LONGEST_DESCRIPTION),
      `description in server.json must have 1 to ${LONGEST_DESCRIPTION} characters.`,
    ),
    ...unless(isOneVersion(version), 'version in server.json must be one version, no range.'),
    ...unless(
      title === undefined || (isText(title, LONGEST_TITLE) && title.trim() !== ''),
      `title in server.json must have 1 to ${LONGEST_TITLE} characters.`,
    ),
    ...unless(
      listOf(packages).length + listOf(remotes).length > 0,
      'server.json must name a package or a remote, or nobody can use the server.',
    ),
    ...addressProblems(serverJson),
    ...repositoryProblems(serverJson),
  ];
}

function addressProblems({ websiteUrl, icons }: Json): string[] {
  return [
    ...unless(
      websiteUrl === undefined || isHttps(websiteUrl),
      'websiteUrl in server.json must be an https address.',
    ),
    ...listOf(icons).flatMap(({ src }) =>
      unless(
        isHttps(src) && String(src).length <= LONGEST_ADDRESS,
        `the icon ${String(src)} must be an https address of at most ${LONGEST_ADDRESS} characters.`,
      ),
    ),
  ];
}

function repositoryProblems({ repository }: Json): string[] {
  if (repository === undefined) return [];
  const { url, source, subfolder } = isObject(repository) ? repository : {};
  const pattern = REPOSITORIES[String(source)];
  return [
    ...unless(
      pattern?.test(String(url)) ?? false,
      'repository in server.json needs a source, github or gitlab, and the address of the repository there as url.',
    ),
    ...unless(
      subfolder === undefined || isCleanPath(subfolder),
      `the subfolder ${String(subfolder)} must be a path from the root of the repository, such as packages/notes.`,
    ),
  ];
}

const isHttps = (value: unknown) => isText(value) && readUrl(value)?.protocol === 'https:';

const isCleanPath = (value: unknown) =>
  isText(value) && /^[\w./-]+$/.test(value) && !value.split('/').some((part) => /^\.{0,2}$/.test(part));

/** Each schema has a date. The registry goes on to accept older ones for a while. */
export function schemaAgeProblems({ $schema }: Json): string[] {
  return unless(
    !isText($schema) || $schema === sources.registrySchema,
    `$schema in server.json is ${String($schema)}, and the rules that are checked here are those of ${sources.registrySchema}.`,
  );
}

const LISTS = ['environmentVariables', 'runtimeArguments', 'packageArguments'];

/** Everybody can read what the registry has. The message does not repeat the value. */
export function secretProblems({ packages, remotes }: Json): string[] {
  const inputs = [
    ...listOf(packages).flatMap((one) => [...LISTS.flatMap((list) => listOf(one[list])), ...headersOf(one)]),
    ...listOf(remotes).flatMap(({ headers, variables }) => [...listOf(headers), ...named(variables)]),
  ].flatMap((input) => [input, ...named(input['variables'])]);
  return inputs
    .filter(hasSecret)
    .map(nameOf)
    .map((name) => `${name} has a value that looks like a secret. Leave it out, and set isSecret: true.`);
}

/** A name such as API_KEY whose value people must give. */
export function unmarkedSecretProblems({ packages }: Json): string[] {
  return listOf(packages)
    .flatMap((one) => listOf(one['environmentVariables']))
    .filter((input) => input['isSecret'] !== true && input['value'] === undefined)
    .filter((input) => input['default'] === undefined && looksSecret(nameOf(input), 'a value of a person'))
    .map((input) => `${nameOf(input)} sounds like a secret: set isSecret: true, so that hosts keep it safe.`);
}

const headersOf = ({ transport }: Json) => listOf(isObject(transport) ? transport['headers'] : undefined);

const named = (variables: unknown): Json[] =>
  Object.entries(isObject(variables) ? variables : {}).flatMap(([name, input]) =>
    isObject(input) ? [{ name, ...input }] : [],
  );

const nameOf = (input: Json) => String(input['name'] ?? input['valueHint'] ?? 'an argument');

/** A text in braces is filled in by the person. */
const hasSecret = (input: Json) =>
  [input['value'], input['default']].some(
    (value) => isText(value) && !/\{[^}]+\}/.test(value) && looksSecret(nameOf(input), value),
  );

/** npm packages prove in their own package.json that they belong to the name in the registry. */
export function ownPackageProblems({ package: own, serverJson }: DirectoryListing): string[] {
  const npm = npmPackages(serverJson);
  const mine = npm.find(({ identifier }) => identifier === own['name']);
  if (serverJson && npm.length === 0) return [];
  const { mcpName } = own;
  return [
    ...unless(
      isServerName(mcpName),
      'mcpName in package.json must be the name in the registry, such as io.github.ann/notes.',
    ),
    ...unless(
      !serverJson || mcpName === undefined || mcpName === serverJson['name'],
      `mcpName in package.json is ${String(mcpName)}, and name in server.json is ${String(serverJson?.['name'])}.`,
    ),
    ...unless(own['private'] !== true, 'package.json is private, so npm would not publish it.'),
    ...unless(
      !mine || mine['version'] === own['version'],
      `server.json names version ${String(mine?.['version'])} of the package, and package.json has ${String(own['version'])}.`,
    ),
  ];
}

/** Hosts start the package with npx. */
export function startProblems({ package: own, serverJson }: DirectoryListing): string[] {
  const mine = npmPackages(serverJson).some(({ identifier }) => identifier === own['name']);
  return unless(
    !mine || own['bin'] !== undefined,
    'package.json has no bin, so npx cannot start the package: "bin": "dist/main.js", and #!/usr/bin/env node in its first line.',
  );
}

const npmPackages = (serverJson: Json | null | undefined) =>
  listOf(isObject(serverJson) ? serverJson['packages'] : undefined).filter(
    ({ registryType }) => registryType === 'npm',
  );
