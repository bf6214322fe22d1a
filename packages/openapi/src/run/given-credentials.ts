import type { ApiPlan } from '../model/plan-operations.js';
import type { PlannedOperation } from '../model/planned-operation.js';
import { credentialNames, nameOfKey } from '../model/security.js';
import type { ApiCredentials } from './credentials.js';

/** The names of the credentials that an author gives, as `auth` of a request has them. */
const namesOf = ({ token, basic, apiKey }: ApiCredentials): string[] => [
  ...(token === undefined ? [] : ['bearer']),
  ...(basic?.username === undefined ? [] : ['basic']),
  ...[apiKey ?? []].flat().map(nameOfKey),
];

/**
 * The operations of a plan. A credential that the specification does not describe is known to the author alone, so it is sent
 * with each operation that takes any.
 */
export function withOwnCredentials(plan: ApiPlan, given: ApiCredentials): PlannedOperation[] {
  const known = new Set(credentialNames(plan.security).map(lower));
  const own = namesOf(given).filter((name) => !known.has(lower(name)));
  if (own.length === 0) return [...plan.operations];
  return plan.operations.map((each) => ({
    ...each,
    auth: each.auth && { ...each.auth, lists: each.auth.lists.map((list) => [...list, ...own]) },
  }));
}

/** A line for each choice of credentials that some tools need and that is not given. Without any, something else adds them. */
export function missingCredentials({ operations }: ApiPlan, given: ApiCredentials): string[] {
  const names = namesOf(given).map(lower);
  if (names.length === 0) return [];
  const isGiven = (name: string) =>
    names.includes(lower(name)) ||
    // A header of this name is what the others are written into.
    (lower(name) === 'header authorization' && (names.includes('bearer') || names.includes('basic')));
  const missing = new Map<string, string[]>();
  for (const { auth, toolName } of operations) {
    if (!auth || auth.lists.length === 0 || auth.lists.some((list) => list.every(isGiven))) continue;
    const wanted = auth.lists.map((list) => list.join(' and ')).join(', or ');
    missing.set(wanted, [...(missing.get(wanted) ?? []), toolName]);
  }
  return [...missing].map(
    ([wanted, tools]) =>
      `${tools.length === 1 ? 'A tool needs' : `${tools.length} tools need`} ${wanted}, such as ${tools[0]}, and not all of it is given.`,
  );
}

const lower = (name: string) => name.toLowerCase();
