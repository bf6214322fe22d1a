import type { JWTPayload } from 'jose';

/**
 * Scopes of a token: `scope` of RFC 8693 and 9068, or `scp`, which Entra ID and Okta send instead; each a list or words
 * in one string. One that is empty says nothing, and the other counts.
 */
export function grantedScopes(payload: JWTPayload): string[] {
  const scope = scopesIn(payload['scope']);
  return scope.length > 0 ? scope : scopesIn(payload['scp']);
}

function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word) => typeof word === 'string' && word !== '') as string[];
}

/** @param implied by scope, those that it includes */
export function withImplied(
  granted: readonly string[],
  implied: ReadonlyMap<string, readonly string[]>,
): string[] {
  const all = new Set(granted);
  // A set visits what is added while it is walked: scopes implied by implied ones are found too.
  for (const scope of all) for (const inner of implied.get(scope) ?? []) all.add(inner);
  return [...all];
}
