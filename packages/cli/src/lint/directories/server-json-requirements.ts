import { sources } from './directory.js';
import type { Listing } from './listing.js';
import { unless, type Requirement } from './requirement.js';

type Json = Record<string, unknown>;

/** One slash, between a name space such as `io.github.ann` and the name of the server. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 100;
/** `1.2.3` and `2024-11-05` name one release; `^1.2.3`, `1.x` and `latest` do not. */
const RANGE = /^[\^~<>=]|\*|(^|\.)x($|\.)|\|\||\s|^latest$/i;

/** What the registry refuses, or cannot prove. */
export const serverJsonRequirements: Requirement<Listing>[] = [
  {
    rule: 'directory-server-json',
    directory: 'registry',
    severity: 'error',
    source: sources.registrySchema,
    check: ({ serverJson }) => {
      if (serverJson === undefined) return ['there is no server.json beside the package.json.'];
      return serverJson === null ? ['server.json is no JSON object.'] : schemaFaults(serverJson);
    },
  },
  {
    rule: 'directory-server-json',
    directory: 'registry',
    severity: 'error',
    source: sources.registryPackages,
    check: (listing) => packageFaults(listing),
  },
];

function schemaFaults({ name, description, version, title, packages, remotes }: Json): string[] {
  return [
    ...unless(
      isText(name, LONGEST_NAME) && NAME.test(String(name)),
      'name in server.json must be a name space, one slash and a name, such as io.github.ann/notes.',
    ),
    ...unless(
      isText(description, LONGEST_DESCRIPTION),
      `description in server.json must have 1 to ${LONGEST_DESCRIPTION} characters.`,
    ),
    ...unless(
      isText(version, 255) && !RANGE.test(version),
      'version in server.json must be one version, no range.',
    ),
    ...unless(
      title === undefined || isText(title, 100),
      'title in server.json must have 1 to 100 characters.',
    ),
    ...unless(
      listOf(packages).length + listOf(remotes).length > 0,
      'server.json must name a package or a remote, or nobody can use the server.',
    ),
    ...listOf(packages).flatMap(({ identifier, version: one, transport }) => [
      ...unless(isText(identifier, Infinity), 'a package in server.json has no identifier.'),
      ...unless(
        one === undefined || (isText(one, 255) && !RANGE.test(one)),
        `the package ${String(identifier)} must have one version, no range.`,
      ),
      ...unless(transport !== undefined, `the package ${String(identifier)} must say its transport.`),
    ]),
    ...listOf(remotes).flatMap(({ url }) =>
      unless(isPublic(url), `the remote ${String(url)} is not an address that everybody can reach.`),
    ),
  ];
}

/** npm packages prove in their own package.json that they belong to the name in the registry. */
function packageFaults({ package: own, serverJson }: Listing): string[] {
  const npm = listOf(serverJson?.['packages']).filter(({ registryType }) => registryType === 'npm');
  const mine = npm.find(({ identifier }) => identifier === own['name']);
  if (serverJson && npm.length === 0) return [];
  const { mcpName } = own;
  return [
    ...unless(
      isText(mcpName, LONGEST_NAME) && NAME.test(mcpName),
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

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longest;

const listOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : [];

/** A variable in braces is filled in by the person who installs the server. */
function isPublic(url: unknown): boolean {
  if (typeof url !== 'string' || !/^(https?:\/\/\S+|\{\w+\}\S*)$/.test(url)) return false;
  return !/^https?:\/\/(localhost|127\.|0\.0\.0\.0|\[::1\])/i.test(url);
}
