import { createHash } from 'node:crypto';
import type { Principal } from '@toolwright/core';
import type { Authenticate } from '@toolwright/http';

/** Callers by the SHA-256 (hex) of their tokens: who reads the list has no token. */
export type Callers = Readonly<Record<string, Principal>>;

/**
 * Tells callers by the bearer tokens that they were given. Who brings none is anonymous; an unknown one is refused.
 * For programs of your own; people should come with OAuth.
 */
export function bearerTokens(callers: Callers): Authenticate {
  return ({ headers: { authorization } }) => {
    if (authorization === undefined) return { principal: undefined };
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? '';
    const hash = hashToken(token);
    if (Object.hasOwn(callers, hash)) return { principal: callers[hash] };
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return { challenge: { status: 401, headers, message: 'The token is not known.' } };
  };
}

/** The form in which tokens are kept. Tokens are random, so that they need no salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
