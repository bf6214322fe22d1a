import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

export interface TokenSettings {
  /** The URL of the API. Tokens must be for it. */
  readonly resource: string;
  /** Who issues the tokens. */
  readonly issuer: string;
}

/** Whose token a request has. */
export interface BillingCaller {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

/**
 * Checks the token of a request: the signature of the issuer, that it is for this API, and that it has not expired. The
 * promise is rejected when the keys of the issuer cannot be read.
 */
export function openTokenCheck({ issuer, resource }: TokenSettings) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return async (authorization: string | undefined): Promise<BillingCaller | undefined> => {
    const [, token] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? [];
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: resource, typ: 'at+jwt' });
      const { sub, org, scope } = payload;
      if (typeof sub !== 'string' || typeof org !== 'string') return undefined;
      return { tenant: org, subject: sub, scopes: String(scope ?? '').split(' ') };
    } catch (error) {
      if (isAboutToken(error)) return undefined;
      throw error;
    }
  };
}

/** Whether a token is wrong. Otherwise the keys of the issuer cannot be read, which says nothing about the token. */
function isAboutToken(error: unknown): boolean {
  const { JOSEError, JWKSInvalid, JWKSTimeout } = errors;
  if (!(error instanceof JOSEError) || error instanceof JWKSTimeout || error instanceof JWKSInvalid)
    return false;
  // An answer that is no document of keys has the code of no other error.
  return error.code !== JOSEError.code;
}
