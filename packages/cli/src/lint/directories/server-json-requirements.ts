import { sources } from '../lint-problem.js';
import type { DirectoryListing } from './listing.js';
import type { Json, Requirement } from './requirement.js';
import {
  ownPackageProblems,
  schemaAgeProblems,
  secretProblems,
  serverProblems,
  startProblems,
  unmarkedSecretProblems,
} from './server-json/server-problems.js';
import {
  identityProblems,
  lostMetaProblems,
  metaSizeProblems,
  packageProblems,
  placeProblems,
  remoteProblems,
} from './server-json/package-problems.js';

type Check = Requirement<DirectoryListing>['check'];

/** What the registry refuses, or cannot prove. */
export const serverJsonRequirements: Requirement<DirectoryListing>[] = [
  must(sources.registrySchema, ({ serverJson }) => {
    if (serverJson === undefined) return ['there is no server.json beside the package.json.'];
    if (serverJson === null) return ['server.json is no JSON object.'];
    return [...serverProblems(serverJson), ...packageProblems(serverJson)];
  }),
  must(sources.registryRemotes, inFile(remoteProblems)),
  must(sources.registryRequirements, inFile(placeProblems)),
  must(sources.registryRequirements, inFile(metaSizeProblems)),
  must(sources.registryPackages, inFile(identityProblems)),
  must(sources.registryPackages, ownPackageProblems),
  must(sources.registryFormat, inFile(secretProblems)),
  must(sources.npmExec, startProblems),
  should(sources.registryFormat, inFile(unmarkedSecretProblems)),
  should(sources.registryRequirements, inFile(lostMetaProblems)),
  should(sources.registryChanges, inFile(schemaAgeProblems)),
];

function must(source: string, check: Check): Requirement<DirectoryListing> {
  return { rule: 'directory-server-json', directory: 'registry', severity: 'error', source, check };
}

function should(source: string, check: Check): Requirement<DirectoryListing> {
  return { ...must(source, check), severity: 'warning' };
}

/** A check of a file that is there. */
function inFile(check: (serverJson: Json) => string[]): Check {
  return ({ serverJson }) => (serverJson ? check(serverJson) : []);
}
