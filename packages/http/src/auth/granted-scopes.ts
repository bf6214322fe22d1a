import type { JWTPayload } from 'jose';

/**
 * The scopes of a token: `scope` of RFC 8693 and 9068, or `scp`, which Entra ID and Okta send instead. Each
 * may be a list, or words in one string. If one of them is empty, the other one counts.
 */
export function grantedScopes(payload: JWTPayload): string[] {
  const scope = scopesIn(payload['scope']);
  return scope.length > 0 ? scope : scopesIn(payload['scp']);
}

function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word) => typeof word === 'string' && word !== '') as string[];
}

/**
 * Adds the scopes that these scopes include.
 *
 * @param implied the included scopes, by scope
 */
export function withImplied(
  granted: readonly string[],
  implied: ReadonlyMap<string, readonly string[]>,
): string[] {
  const all = new Set(granted);
  // A loop over a set also visits what is added meanwhile, so scopes that included scopes include are found,
  // too.
  for (const scope of all) for (const inner of implied.get(scope) ?? []) all.add(inner);
  return [...all];
}
