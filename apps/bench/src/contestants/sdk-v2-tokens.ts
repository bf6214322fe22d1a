import { requireBearerAuth } from '@modelcontextprotocol/express';
import type { RequestHandler } from 'express';
import type { TokenRules } from './settings.js';
import { scopesOf, tokenVerifier } from './token-check.js';

/** The middleware of the SDK, with `jose` behind it: the SDK leaves the check of a token to the application. */
export async function bearerAuth(rules: TokenRules): Promise<RequestHandler> {
  const verify = await tokenVerifier(rules);
  return requireBearerAuth({
    requiredScopes: [rules.scope],
    verifier: {
      verifyAccessToken: async (token) => {
        const payload = await verify(token);
        const { sub = '', exp = 0 } = payload;
        return { token, clientId: sub, scopes: scopesOf(payload), expiresAt: exp };
      },
    },
  });
}
