import type { Principal } from '@toolwright/core';
import { InvalidTokenError } from './token-kind.js';
import type { TokenClaims, TrustedIssuer } from './trusted-issuer.js';

/** How the callers of all tokens are read. */
export interface CallerRules {
  /** The included scopes, by scope. */
  readonly impliedScopes: ReadonlyMap<string, readonly string[]>;
  /** What clients put before a scope when they ask for it. A token may have the scope with it or without. */
  readonly scopePrefix: string;
  /** Finds the tenant of a caller. */
  readonly tenantOf?: ((claims: TokenClaims) => unknown) | undefined;
}

/** Who calls for the person: RFC 9068, OpenID Connect, version 1 of Entra ID, and Okta. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'];

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** How deep claims may be nested. Those of real issuers have three or four levels. */
const MAX_DEPTH = 64;

/**
 * The caller, as the verified claims say. Sessions, quotas and sealed states are bound to the subject. If the subject is
 * not a name, many callers would share it.
 *
 * @throws {InvalidTokenError} `subject`, `issuer` when `tid` is of another directory, or `claims` when they are nested too deep
 */
export function readPrincipal(claims: TokenClaims, trusted: TrustedIssuer, rules: CallerRules): Principal {
  const clientId = CLIENT_CLAIMS.map((name) => claims[name]).find(isFilledText);
  const { scopes = grantedScopes(claims), ...others } = trusted.principal?.(freezeAll(claims)) ?? {};
  const issuer = (claims['iss'] as string | undefined) ?? trusted.issuer;
  requireOneDirectory(issuer, claims);
  const principal: Principal = {
    issuer,
    subject: claims['sub'] as string,
    ...(clientId !== undefined && { clientId }),
    ...others,
    ...(rules.tenantOf && tenantIn(claims, rules.tenantOf)),
    scopes: withImplied(withoutPrefix(scopes, rules.scopePrefix), rules.impliedScopes),
    claims,
  };
  if (!isFilledText(principal.subject)) throw new InvalidTokenError('subject');
  return freezeAll(principal);
}

const DIRECTORY = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/**
 * An issuer of Entra ID has the id of a directory in its address, and speaks for this directory alone. `tid` of another one
 * would put the caller into the tenant of others.
 */
function requireOneDirectory(iss: string, { tid }: TokenClaims): void {
  const [ofIssuer] = DIRECTORY.exec(iss) ?? [];
  const [named] = typeof tid === 'string' ? (DIRECTORY.exec(tid) ?? []) : [];
  if (ofIssuer !== undefined && named !== undefined && ofIssuer.toLowerCase() !== named.toLowerCase())
    throw new InvalidTokenError('issuer');
}

/** Without a tenant, a caller would meet everybody else that has none. So a tenant that cannot be found is a refusal. */
function tenantIn(claims: TokenClaims, tenantOf: (claims: TokenClaims) => unknown): { tenant?: string } {
  let tenant: unknown;
  try {
    tenant = tenantOf(claims);
  } catch (cause) {
    throw new InvalidTokenError('tenant', { cause });
  }
  if (tenant === undefined) return {};
  if (!isFilledText(tenant)) throw new InvalidTokenError('tenant');
  return { tenant };
}

/** Many requests share a principal, so no tool may change what the next call sees. */
function freezeAll<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new InvalidTokenError('claims');
  for (const inner of Object.values(Object.freeze(value))) freezeAll(inner, depth + 1);
  return value;
}

/**
 * The scopes of a token: `scope` of RFC 8693 and 9068, or `scp`, which Entra ID and Okta send instead. Each
 * may be a list, or words in one string. If one of them is empty, the other one counts.
 */
function grantedScopes(claims: TokenClaims): string[] {
  const scope = scopesIn(claims['scope']);
  return scope.length > 0 ? scope : scopesIn(claims['scp']);
}

function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word) => typeof word === 'string' && word !== '') as string[];
}

function withoutPrefix(scopes: readonly string[], prefix: string): readonly string[] {
  if (prefix === '') return scopes;
  return scopes.map((scope) =>
    scope.startsWith(prefix) && scope.length > prefix.length ? scope.slice(prefix.length) : scope,
  );
}

/** Scopes of OpenID Connect. No issuer wants a prefix before them. */
const OF_OPENID = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access']);

/** The scopes as clients ask for them. */
export function askedScopes(scopes: readonly string[], prefix: string): readonly string[] {
  if (prefix === '') return scopes;
  return scopes.map((scope) =>
    OF_OPENID.has(scope) || scope.startsWith(prefix) ? scope : `${prefix}${scope}`,
  );
}

/**
 * Adds the scopes that these scopes include.
 *
 * @param implied the included scopes, by scope
 */
function withImplied(granted: readonly string[], implied: ReadonlyMap<string, readonly string[]>): string[] {
  const all = new Set(granted);
  // A loop over a set also visits what is added meanwhile, so scopes that included scopes include are found,
  // too.
  for (const scope of all) for (const inner of implied.get(scope) ?? []) all.add(inner);
  return [...all];
}
