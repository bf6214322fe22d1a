import type { JWTPayload } from 'jose';
import type { TokenRules } from './settings.js';

/** Verifies a token with `jose`, as a server written by hand would. It rejects a token that is not right. */
export async function tokenVerifier({ issuer, jwksUri, audience, scope }: TokenRules) {
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const keys = createRemoteJWKSet(new URL(jwksUri));
  return async (token: string): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, keys, { issuer, audience });
    if (!scopesOf(payload).includes(scope)) throw new Error('insufficient scope');
    return payload;
  };
}

export const scopesOf = (payload: JWTPayload) => String(payload['scope']).split(' ');
