import type { JWTPayload } from 'jose';
import type { AuthenticationFailure } from '../endpoint/authentication.js';
import type { TokenClaims, TrustedIssuer } from './trusted-issuer.js';

/**
 * What an access token calls itself in the payload: in the `typ` of Keycloak, or in the `token_type` of
 * others. Keycloak has a dozen other kinds (ID, Logout, Refresh, Offline, kinds that register clients, one
 * for each required action), so any other value is refused.
 */
const ACCESS_KINDS = new Set(['bearer', 'dpop', 'jwt', 'at+jwt', 'access', 'access_token', 'accesstoken']);

/** Claims of ID tokens (OpenID Connect Core). Access tokens of plain types do not have them. */
const ID_TOKEN_MARKS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/** What tells access tokens of an issuer from others. */
interface KindRules extends Pick<TrustedIssuer, 'isAccessToken'> {
  /** True to accept only tokens with the type of RFC 9068. */
  readonly requireAtJwt: boolean;
  readonly audience: readonly string[];
}

/**
 * Refuses everything except an access token. The same issuer signs ID tokens and
 * logout tokens with the same keys, often for the same audience. A client's ID token must open nothing here.
 *
 * The header `typ` decides if it can (RFC 9068 section 4): a token of type `at+jwt` may contain a nonce. Many
 * issuers send plain `JWT` (Entra ID, Keycloak, Auth0) or nothing (Cognito). Such a token is accepted, unless
 * its claims mark it as another kind.
 *
 * @throws {InvalidTokenError} `type`
 */
export function requireAccessToken(
  typ: unknown,
  payload: JWTPayload,
  { requireAtJwt, isAccessToken, audience }: KindRules,
): void {
  const isTyped = isAccessType(typ);
  const isPlain = typ === undefined || (typeof typ === 'string' && shortType(typ) === 'jwt');
  if (!isTyped && (requireAtJwt || !isPlain)) throw new InvalidTokenError('type');
  if (isOfAnotherKind(payload) || (!isTyped && hasMarkOfIdToken(payload)))
    throw new InvalidTokenError('type');
  if (
    !(isAccessToken
      ? isAccessToken(payload)
      : isTyped || isForResource(payload, audience) || hasMark(payload))
  )
    throw new InvalidTokenError('type');
}

/**
 * The same for what an issuer says about a token (RFC 7662). There is no header then, and issuers say of refresh tokens that
 * they are active, too. So the answer must call the token an access token. `token_type` does so: it is the scheme with which
 * the token is sent, and a refresh token has none.
 *
 * @throws {InvalidTokenError} `type`
 */
export function requireNamedAccessToken(
  claims: TokenClaims,
  { isAccessToken }: Pick<TrustedIssuer, 'isAccessToken'>,
): void {
  const { typ, token_type, token_use } = claims;
  const isNamed = isAccessToken ? isAccessToken(claims) : [typ, token_type, token_use].some(isAccessKind);
  if (!isNamed || isOfAnotherKind(claims) || hasMarkOfIdToken(claims)) throw new InvalidTokenError('type');
}

/**
 * The audience of an ID token is a client. Only an access token is for a resource, whose name is a URI. Where an API is
 * known by the id of an app, as with Entra ID, both kinds have the same audience.
 */
function isForResource({ aud }: JWTPayload, audience: readonly string[]): boolean {
  return [aud].flat().some((each) => each?.includes(':') === true && audience.includes(each));
}

/** Claims of access tokens that ID tokens do not have. `roles` and `azp` are in both. */
const MARKS = [
  'scope',
  'scp',
  'permissions',
  'client_id',
  'cid',
  'appid',
  'azpacr',
  'token_use',
  'token_type',
];

/** Whether the token says its kind. Keycloak writes it as `typ` into the payload. Tokens of a wrong kind were refused before. */
function hasMark(payload: JWTPayload): boolean {
  return payload['typ'] !== undefined || MARKS.some((claim) => payload[claim] !== undefined);
}

function isAccessType(typ: unknown): boolean {
  return typeof typ === 'string' && shortType(typ) === 'at+jwt';
}

/** `application/at+jwt` and `AT+JWT` mean `at+jwt` (RFC 7515 section 4.1.9). */
function shortType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** `events` marks a logout token or another security event (Back-Channel Logout, RFC 8417). */
function isOfAnotherKind({ typ, token_type, token_use, events }: TokenClaims): boolean {
  if (events !== undefined) return true;
  if ([typ, token_type].some((kind) => kind !== undefined && !isAccessKind(kind))) return true;
  return token_use !== undefined && token_use !== 'access' && token_use !== 'access_token';
}

function isAccessKind(kind: unknown): boolean {
  return typeof kind === 'string' && ACCESS_KINDS.has(kind.toLowerCase());
}

function hasMarkOfIdToken(payload: TokenClaims): boolean {
  return ID_TOKEN_MARKS.some((claim) => payload[claim] !== undefined);
}

/** The reasons for refusing a token. */
export type TokenFailure = Exclude<AuthenticationFailure, 'missing' | 'unavailable'>;

/** A text that the client may see: it tells nothing that the client could not read in its own token. */
const texts: Readonly<Record<TokenFailure, string>> = {
  malformed: 'The access token is no JWT.',
  inactive: 'The access token is not active.',
  issuer: 'The access token is of another issuer.',
  audience: 'The access token is not valid for this resource.',
  expired: 'The access token has expired.',
  'not-yet-valid': 'The access token is not valid yet.',
  'unknown-key': 'The access token is signed with an unknown key.',
  signature: 'The access token has a wrong signature.',
  algorithm: 'The access token is signed with an algorithm that is not accepted.',
  type: 'The access token is a token of another kind.',
  bound: 'The access token is bound to a key and cannot be used as a bearer token.',
  unbound: 'The access token is bound to no key.',
  proof: 'The proof of the key is missing or wrong.',
  replay: 'The proof of the key was used before.',
  nonce: 'The proof of the key needs a nonce of this server.',
  subject: 'The access token names no subject.',
  tenant: 'The access token names no tenant.',
  claims: 'The access token lacks a claim.',
};

/** The token is not valid here. The client may see the text. */
export class InvalidTokenError extends Error {
  /** The issuer that the token names, or that was asked about it. It is for the operator. */
  issuer: string | undefined;

  constructor(
    readonly reason: TokenFailure,
    options?: ErrorOptions,
  ) {
    super(texts[reason], options);
  }
}
