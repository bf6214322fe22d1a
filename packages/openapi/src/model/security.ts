import type {
  ApiOperation,
  Parameter,
  SecurityRequirement,
  SecurityScheme,
} from '../read/openapi-document.js';
import type { Specification } from '../read/specification.js';
import { parametersOf } from './plan-arguments.js';
import type { PlannedAuth } from './planned-operation.js';

/** How the API wants to know its callers, as the client sends it. */
export interface ApiSecurity {
  readonly bearer: boolean;
  readonly basic: boolean;
  /** All keys that the chosen operations name. */
  readonly apiKeys: readonly ApiKeyPlace[];
}

export interface ApiKeyPlace {
  readonly in: 'query' | 'header' | 'cookie';
  readonly name: string;
}

/** The schemes of a specification by name. */
export function securitySchemes(specification: Specification): ReadonlyMap<string, SecurityScheme> {
  const all = Object.entries(specification.document.components?.securitySchemes ?? {});
  return new Map(all.map(([name, each]) => [name, specification.resolve<SecurityScheme>(each).value]));
}

/**
 * The scopes that a caller of an operation needs. Of several alternatives it is the one that all others contain, or else the
 * first one that names any: nobody gets in by an alternative that the author of the server has not chosen. A text that cannot
 * be a scope of OAuth, such as one with a space, is left out.
 */
export function scopesOf(
  operation: ApiOperation,
  specification: Specification,
  schemes: ReadonlyMap<string, SecurityScheme>,
): string[] {
  const all = scopesOfAlternatives(operation, specification, schemes);
  const named = all.filter((each) => each.length > 0);
  return named.find((each) => isIn(each, named)) ?? named[0] ?? [];
}

/** Whether the API takes other scopes, or none, in the place of what `scopesOf` chose. */
export function hasOtherScopes(
  operation: ApiOperation,
  specification: Specification,
  schemes: ReadonlyMap<string, SecurityScheme>,
): boolean {
  const all = scopesOfAlternatives(operation, specification, schemes);
  return !isIn(scopesOf(operation, specification, schemes), all);
}

const isIn = (scopes: readonly string[], all: readonly (readonly string[])[]) =>
  all.every((each) => scopes.every((scope) => each.includes(scope)));

function scopesOfAlternatives(
  operation: ApiOperation,
  specification: Specification,
  schemes: ReadonlyMap<string, SecurityScheme>,
): string[][] {
  const alternatives = operation.security ?? specification.document.security ?? [];
  // An empty alternative means that the operation may be called without credentials.
  if (alternatives.some((each) => Object.keys(each).length === 0)) return [];
  return alternatives.map((alternative) => {
    const scopes = Object.entries(alternative).flatMap(([name, wanted]) => {
      const { type } = schemes.get(name) ?? {};
      return (type === 'oauth2' || type === 'openIdConnect') && Array.isArray(wanted) ? wanted : [];
    });
    return [...new Set(scopes)].filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  });
}

export function securityOf(
  schemes: ReadonlyMap<string, SecurityScheme>,
  credentials: ReadonlySet<string>,
  requirements: readonly SecurityRequirement[],
): ApiSecurity {
  const all = [...schemes.values()];
  const [place, name] = [...credentials][0]?.split(' ') ?? [];
  const keys = keysOf(schemes, requirements);
  return {
    bearer: all.some(
      ({ type, scheme }) =>
        type === 'oauth2' ||
        type === 'openIdConnect' ||
        (type === 'http' && scheme?.toLowerCase() === 'bearer'),
    ),
    basic: all.some(({ type, scheme }) => type === 'http' && scheme?.toLowerCase() === 'basic'),
    apiKeys: keys.length > 0 || !name ? keys : [{ in: place as ApiKeyPlace['in'], name }],
  };
}

/** The keys that operations name. Where none names any, the first one that is described is the usual one. */
function keysOf(
  schemes: ReadonlyMap<string, SecurityScheme>,
  requirements: readonly SecurityRequirement[],
): ApiKeyPlace[] {
  const keyOf = (scheme: SecurityScheme | undefined): ApiKeyPlace[] =>
    scheme?.type === 'apiKey' && scheme.name && scheme.in ? [{ in: scheme.in, name: scheme.name }] : [];
  const named = requirements.flatMap((each) => Object.keys(each).flatMap((name) => keyOf(schemes.get(name))));
  const keys = new Map(named.map((each) => [nameOfKey(each), each]));
  return keys.size > 0 ? [...keys.values()] : [...schemes.values()].flatMap(keyOf).slice(0, 1);
}

/** What a key is called in `auth` of a request. */
export const nameOfKey = ({ in: place, name }: ApiKeyPlace) => `${place} ${name}`;

/** The names of all credentials of an API. */
export const credentialNames = ({ bearer, basic, apiKeys }: ApiSecurity): string[] => [
  ...(bearer ? ['bearer'] : []),
  ...(basic ? ['basic'] : []),
  ...apiKeys.map(nameOfKey),
];

/**
 * The credentials that an operation takes, in lists of which one is enough; an empty list is a call without any. Undefined if
 * nothing is said.
 */
export function authOf(
  {
    security,
    parameters = [],
  }: { security: readonly SecurityRequirement[] | undefined; parameters?: readonly Parameter[] },
  schemes: ReadonlyMap<string, SecurityScheme>,
  all: { readonly names: readonly string[]; readonly credentials: ReadonlySet<string> },
): PlannedAuth | undefined {
  if (security === undefined) return undefined;
  // A parameter that is filled from the credentials is one of them, although no scheme names it.
  const ofParameters = parameters
    .filter(({ in: place, name = '' }) => all.credentials.has(`${place} ${name.toLowerCase()}`))
    .map(({ in: place, name }) => `${place} ${name}`);
  const lists = security.map((each) => [
    ...new Set([...Object.keys(each).flatMap((name) => credentialOf(schemes.get(name))), ...ofParameters]),
  ]);
  const taken = new Set(lists.flat());
  return { lists, isEverything: lists.length > 0 && all.names.every((name) => taken.has(name)) };
}

function credentialOf({ type, scheme, name, in: place }: SecurityScheme = {}): string[] {
  if (type === 'apiKey') return name && place ? [nameOfKey({ in: place, name })] : [];
  if (type === 'mutualTLS' || type === undefined) return [];
  return [type === 'http' && scheme?.toLowerCase() === 'basic' ? 'basic' : 'bearer'];
}

/** Names of parameters that carry a credential, whatever the specification says about security. */
const CREDENTIAL = /^(?:token|access_token|api_?key|apikey|x-api-key|auth_token)$/i;

/**
 * The parameters that the client fills from its credentials, as `in name` in lower case: a scheme names them, or
 * most operations repeat them under a name such as `token`.
 */
export function credentialParameters(
  specification: Specification,
  schemes: ReadonlyMap<string, SecurityScheme>,
  operations: readonly { operation: ApiOperation; shared: Parameter[] }[],
): Set<string> {
  const found = new Set<string>();
  for (const { type, name, in: place } of schemes.values())
    if (type === 'apiKey' && name) found.add(`${place} ${name.toLowerCase()}`);
  const counts = new Map<string, number>();
  for (const { operation, shared } of operations)
    for (const { name = '', in: place } of parametersOf(specification, shared, operation.parameters ?? []))
      if ((place === 'header' || place === 'query') && CREDENTIAL.test(name)) {
        const key = `${place} ${name.toLowerCase()}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  for (const [key, count] of counts) if (count > 3 && count > operations.length / 4) found.add(key);
  return found;
}
