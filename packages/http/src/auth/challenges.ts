import { RETRY_AFTER_MS } from '@toolwright/core/transport';
import type { Authentication } from '../endpoint/authentication.js';
import { type ChallengeParameters, type TokenScheme, challengeText } from '../endpoint/bearer.js';
import type { OAuthSettings } from './oauth-options.js';
import { askedScopes } from './read-principal.js';

/**
 * Writes challenges. Where bound tokens are accepted beside others, a challenge names both schemes; a caller that has used
 * the one of DPoP learns what was wrong with that.
 */
export function challengeWriter({ proofs, scopePrefix }: OAuthSettings, resource_metadata: string) {
  const dpop = proofs.find(({ scheme }) => scheme === 'DPoP');
  return (parameters: ChallengeParameters, used?: TokenScheme): string => {
    const scope = askedScopes(parameters.scope?.split(' ') ?? [], scopePrefix).join(' ');
    const all = { ...parameters, scope, resource_metadata };
    if (dpop && (dpop.required || used === 'DPoP'))
      return challengeText('DPoP', { ...all, ...dpop.challenge });
    const bearer = challengeText('Bearer', all);
    return dpop ? `${bearer}, ${challengeText('DPoP', dpop.challenge ?? {})}` : bearer;
  };
}

/** The token can be neither accepted nor refused. It would be wrong to ask the client for another one. */
export function unavailable(issuer: string | undefined, cause: string): Authentication {
  const headers = { 'Retry-After': String(RETRY_AFTER_MS.away / 1_000) };
  const message = 'Tokens cannot be checked right now';
  return { challenge: { status: 503, message, headers, reason: 'unavailable', issuer, cause } };
}

/** Why an issuer cannot be asked. These errors are about the issuer, and know nothing of the token. */
export function causeOf({ message, cause }: Error): string {
  const inner = cause as Error | undefined;
  return typeof inner?.message === 'string' ? `${message} ${causeOf(inner)}` : message;
}
