import { sources } from '../directory.js';
import { unless } from '../requirement.js';
import { isObject, isOneVersion, isText, listOf, type Json } from './values.js';

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
export const LONGEST_DESCRIPTION = 100;

export const isServerName = (value: unknown): value is string =>
  isText(value, LONGEST_NAME) && NAME.test(value);

/** What the schema says about the server as a whole. */
export function serverFaults(serverJson: Json): string[] {
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
    ...addressFaults(serverJson),
    ...repositoryFaults(serverJson),
  ];
}

function addressFaults({ websiteUrl, icons }: Json): string[] {
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

function repositoryFaults({ repository }: Json): string[] {
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

const isHttps = (value: unknown) =>
  isText(value) && URL.canParse(value) && new URL(value).protocol === 'https:';

const isCleanPath = (value: unknown) =>
  isText(value) && /^[\w./-]+$/.test(value) && !value.split('/').some((part) => /^\.{0,2}$/.test(part));

/** Each schema has a date. The registry goes on to accept older ones for a while. */
export function schemaAgeFaults({ $schema }: Json): string[] {
  return unless(
    !isText($schema) || $schema === sources.registrySchema,
    `$schema in server.json is ${String($schema)}, and the rules that are checked here are those of ${sources.registrySchema}.`,
  );
}
