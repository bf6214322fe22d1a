import type { JWTPayload } from 'jose';
import type { Principal } from '@toolwright/core';
import { loadJose } from './load-jose.js';
import { IssuerKeys, IssuerUnreachableError } from './issuer-keys.js';
import type { OAuthSettings } from './oauth-options.js';

/** The token is not valid here. The text is safe for the client. */
export class InvalidTokenError extends Error {}

/**
 * Checks signature, algorithm, issuer, audience and times of an access token (RFC 9068).
 * @throws {InvalidTokenError}
 * @throws {IssuerUnreachableError}
 */
export type VerifyToken = (token: string) => Promise<Principal>;

export function tokenVerifier(settings: OAuthSettings): VerifyToken {
  const keys = new Map(settings.issuers.map((trusted) => [trusted.issuer, new IssuerKeys(trusted)]));
  const { audience, algorithms, clockToleranceSeconds: clockTolerance } = settings;
  return async (token) => {
    const jose = loadJose();
    try {
      const { iss = '' } = jose.decodeJwt(token);
      const issuerKeys = keys.get(iss);
      if (!issuerKeys) throw new InvalidTokenError('The access token is of another issuer.');
      const getKey = await issuerKeys.find();
      const { payload } = await jose.jwtVerify(token, getKey, {
        issuer: iss,
        audience,
        algorithms,
        clockTolerance,
        requiredClaims: ['exp', 'sub'],
      });
      return toPrincipal(payload, settings);
    } catch (error) {
      if (error instanceof InvalidTokenError || error instanceof IssuerUnreachableError) throw error;
      if (error instanceof jose.errors.JWTExpired)
        throw new InvalidTokenError('The access token has expired.');
      if (isUnreachable(error, jose.errors)) throw new IssuerUnreachableError('the issuer', { cause: error });
      throw new InvalidTokenError('The access token is not valid for this resource.', { cause: error });
    }
  };
}

/** Everything jose says of a token is a `JOSEError`; what is not, or is about fetching keys, is no verdict. */
function isUnreachable(error: unknown, errors: typeof import('jose').errors): boolean {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) return true;
  return error.code === 'ERR_JOSE_GENERIC';
}

/** Sessions, quotas and sealed state are bound to the subject: one that is no name would be shared by many. */
function toPrincipal(payload: JWTPayload, { impliedScopes }: OAuthSettings): Principal {
  if (typeof payload.sub !== 'string' || payload.sub === '')
    throw new InvalidTokenError('The access token names no subject.');
  const clientId = payload['client_id'] ?? payload['azp'];
  return {
    issuer: payload.iss,
    subject: payload.sub,
    ...(typeof clientId === 'string' && { clientId }),
    scopes: withImplied(grantedScopes(payload), impliedScopes),
    claims: payload,
  };
}

/** `scope` of RFC 8693 and 9068; `scp` is what some large issuers send instead. */
function grantedScopes(payload: JWTPayload): string[] {
  const granted = payload['scope'] ?? payload['scp'];
  if (Array.isArray(granted)) return granted.filter((scope) => typeof scope === 'string');
  return typeof granted === 'string' ? granted.split(' ').filter(Boolean) : [];
}

function withImplied(granted: readonly string[], implied: OAuthSettings['impliedScopes']): string[] {
  const all = new Set(granted);
  // A set visits what is added while it is walked: scopes implied by implied ones are found too.
  for (const scope of all) for (const inner of implied.get(scope) ?? []) all.add(inner);
  return [...all];
}
