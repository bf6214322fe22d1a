import type { JWTPayload } from 'jose';
import { InvalidTokenError } from './invalid-token-error.js';

/**
 * What an access token calls itself in the payload: in the `typ` of Keycloak, or the `token_type` of others. Keycloak alone
 * has a dozen other kinds (ID, Logout, Refresh, Offline, those that register clients, one per required action), so that
 * anything else is refused.
 */
const ACCESS_KINDS = new Set(['bearer', 'dpop', 'jwt', 'at+jwt', 'access', 'access_token', 'accesstoken']);

/** Claims of ID tokens (OpenID Connect Core). Access tokens of plain types lack them. */
const ID_TOKEN_MARKS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Refuses what is not an access token that everybody may use who holds it. The same issuer signs ID tokens and logout
 * tokens with the same keys, often for the same audience; a client's ID token must open nothing here.
 *
 * The header `typ` decides where it can (RFC 9068 section 4): a token of type `at+jwt` may well repeat a nonce. Many issuers send plain `JWT` (Entra ID, Keycloak,
 * Auth0) or nothing (Cognito): such a token is taken unless its claims mark it as another kind.
 *
 * @param requireAtJwt take tokens with the type of RFC 9068 alone
 * @throws {InvalidTokenError} `type` or `bound`
 */
export function requireAccessToken(typ: unknown, payload: JWTPayload, requireAtJwt: boolean): void {
  const isTyped = isAccessType(typ);
  const isPlain = typ === undefined || (typeof typ === 'string' && shortType(typ) === 'jwt');
  if (!isTyped && (requireAtJwt || !isPlain)) throw new InvalidTokenError('type');
  if (isOfAnotherKind(payload) || (!isTyped && hasMarkOfIdToken(payload)))
    throw new InvalidTokenError('type');
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

/** `events` are those of a logout token or of another security event (Back-Channel Logout, RFC 8417). */
function isOfAnotherKind({ typ, token_type, token_use, events }: JWTPayload): boolean {
  if (events !== undefined) return true;
  if ([typ, token_type].some((kind) => kind !== undefined && !isAccessKind(kind))) return true;
  return token_use !== undefined && token_use !== 'access';
}

function isAccessKind(kind: unknown): boolean {
  return typeof kind === 'string' && ACCESS_KINDS.has(kind.toLowerCase());
}

function hasMarkOfIdToken(payload: JWTPayload): boolean {
  return ID_TOKEN_MARKS.some((claim) => payload[claim] !== undefined);
}
