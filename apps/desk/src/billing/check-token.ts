import { createRemoteJWKSet, jwtVerify } from 'jose';

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

/** Checks the token of a request: the signature of the issuer, that it is for this API, and that it has not expired. */
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
    } catch {
      return undefined;
    }
  };
}
