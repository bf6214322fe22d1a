import { sources } from '../finding.js';
import type { Listing } from './listing.js';
import type { Json, Requirement } from './requirement.js';
import {
  ownPackageFaults,
  schemaAgeFaults,
  secretFaults,
  serverFaults,
  startFaults,
  unmarkedSecretFaults,
} from './server-json/server-faults.js';
import {
  identityFaults,
  lostMetaFaults,
  metaSizeFaults,
  packageFaults,
  placeFaults,
  remoteFaults,
} from './server-json/package-faults.js';

type Check = Requirement<Listing>['check'];

/** What the registry refuses, or cannot prove. */
export const serverJsonRequirements: Requirement<Listing>[] = [
  must(sources.registrySchema, ({ serverJson }) => {
    if (serverJson === undefined) return ['there is no server.json beside the package.json.'];
    if (serverJson === null) return ['server.json is no JSON object.'];
    return [...serverFaults(serverJson), ...packageFaults(serverJson)];
  }),
  must(sources.registryRemotes, inFile(remoteFaults)),
  must(sources.registryRequirements, inFile(placeFaults)),
  must(sources.registryRequirements, inFile(metaSizeFaults)),
  must(sources.registryPackages, inFile(identityFaults)),
  must(sources.registryPackages, ownPackageFaults),
  must(sources.registryFormat, inFile(secretFaults)),
  must(sources.npmExec, startFaults),
  should(sources.registryFormat, inFile(unmarkedSecretFaults)),
  should(sources.registryRequirements, inFile(lostMetaFaults)),
  should(sources.registryChanges, inFile(schemaAgeFaults)),
];

function must(source: string, check: Check): Requirement<Listing> {
  return { rule: 'directory-server-json', directory: 'registry', severity: 'error', source, check };
}

function should(source: string, check: Check): Requirement<Listing> {
  return { ...must(source, check), severity: 'warning' };
}

/** A check of a file that is there. */
function inFile(check: (serverJson: Json) => string[]): Check {
  return ({ serverJson }) => (serverJson ? check(serverJson) : []);
}
