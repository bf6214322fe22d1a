import { unless } from '../requirement.js';
import type { Listing } from '../listing.js';
import { isServerName } from './server-faults.js';
import { isObject, listOf, type Json } from './values.js';

/** npm packages prove in their own package.json that they belong to the name in the registry. */
export function ownPackageFaults({ package: own, serverJson }: Listing): string[] {
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
export function startFaults({ package: own, serverJson }: Listing): string[] {
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
