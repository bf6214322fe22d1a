import type { JWTPayload } from 'jose';
import { InvalidTokenError } from './invalid-token-error.js';

/** Values of Keycloak's `typ`, and of the `token_type` of others, that say what is not an access token. */
const OTHER_KINDS = new Set(['id', 'id_token', 'logout', 'refresh', 'refresh_token', 'offline']);

/** Claims that ID tokens (OpenID Connect Core) and logout tokens (Back-Channel Logout, RFC 8417) have, and access tokens lack. */
const MARKS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Refuses what is not an access token that everybody may use who holds it. The same issuer signs ID tokens and logout
 * tokens with the same keys, often for the same audience; a client's ID token must open nothing here.
 *
 * The header `typ` decides where it can (RFC 9068 section 4). Many issuers send plain `JWT` (Entra ID, Keycloak,
 * Auth0) or nothing (Cognito): such a token is taken unless its claims mark it as another kind.
 *
 * @param requireAtJwt take tokens with the type of RFC 9068 alone
 * @throws {InvalidTokenError} `type` or `bound`
 */
export function requireAccessToken(typ: unknown, payload: JWTPayload, requireAtJwt: boolean): void {
  const isTyped = isAccessType(typ);
  const isPlain = typ === undefined || (typeof typ === 'string' && shortType(typ) === 'jwt');
  if (!isTyped && (requireAtJwt || !isPlain)) throw new InvalidTokenError('type');
  if (isOfAnotherKind(payload)) throw new InvalidTokenError('type');
  // Whoever holds it must prove to hold the key as well (RFC 7800, 8705, 9449): nothing here checks a proof.
  if (payload['cnf'] !== undefined) throw new InvalidTokenError('bound');
}

function isAccessType(typ: unknown): boolean {
  return typeof typ === 'string' && shortType(typ) === 'at+jwt';
}

/** `application/at+jwt` and `AT+JWT` are `at+jwt` (RFC 7515 section 4.1.9). */
function shortType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

function isOfAnotherKind(payload: JWTPayload): boolean {
  if (MARKS.some((claim) => payload[claim] !== undefined)) return true;
  const { typ, token_type, token_use } = payload;
  if ([typ, token_type].some((kind) => typeof kind === 'string' && OTHER_KINDS.has(kind.toLowerCase()))) {
    return true;
  }
  return token_use !== undefined && token_use !== 'access';
}
