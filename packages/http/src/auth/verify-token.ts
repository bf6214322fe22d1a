import { type Clock, systemClock } from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';
import { hasDoubledNames } from '@toolwright/json';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { IssuerUnreachableError, loadJose } from './issuer-keys.js';
import { Issuers, type KnownIssuer, requireOwnKey } from './issuers.js';
import type { OAuthSettings } from './oauth-options.js';
import { InvalidTokenError, type TokenFailure, requireAccessToken } from './token-kind.js';
import { readPrincipal } from './read-principal.js';
import { neededProofs } from './token-proof.js';
import { type CheckedToken, VerifiedTokens } from './verified-tokens.js';
import { verifyOpaqueToken } from './verify-opaque-token.js';

type Jose = typeof import('jose');

/**
 * Checks signature, algorithm, issuer, audience, times and kind of an access token (RFC 9068). It answers at once for a
 * token that it accepted before.
 *
 * The promise is rejected with `InvalidTokenError` or `IssuerUnreachableError`.
 */
export type VerifyToken = (token: string) => MaybePromise<CheckedToken>;

export function tokenVerifier(settings: OAuthSettings, clock: Clock = systemClock): VerifyToken {
  const issuers = new Issuers(settings, clock);
  const algorithms = [...settings.algorithms];
  const clockTolerance = settings.clockTolerance / 1_000;
  const verified = new VerifiedTokens(settings.rememberedTokens, clockTolerance);

  const verifySignature = async (
    token: string,
    claims: JWTPayload,
    { keys, audience, clientIds }: KnownIssuer,
  ) => {
    const jose = loadJose();
    try {
      const rules: JWTVerifyOptions = {
        issuer: claims.iss!,
        ...((claims.aud !== undefined || clientIds.length === 0) && { audience: [...audience] }),
        algorithms,
        clockTolerance,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      };
      return await keys.use(
        async (getKey) => ({ getKey, ...(await verifyWith(jose, getKey, { token, rules })) }),
        (error) => isAboutKeys(error, token, jose),
      );
    } catch (error) {
      if (error instanceof IssuerUnreachableError) throw error;
      // Everything that jose says about a token is a `JOSEError`. Any other error is about a key that cannot
      // be used.
      if (!(error instanceof jose.errors.JOSEError) || error instanceof jose.errors.JWKInvalid)
        throw new IssuerUnreachableError(claims.iss!, { cause: error });
      throw new InvalidTokenError(failureOf(error, jose), { cause: error });
    }
  };

  const verifyJwt = async (token: string, claims: JWTPayload): Promise<CheckedToken> => {
    const known = issuers.find(claims);
    if (!known) throw new InvalidTokenError('issuer');
    const { protectedHeader, payload, getKey } = await verifySignature(token, claims, known);
    requireUniqueNames(token);
    requireOwnKey(known, { kid: protectedHeader.kid, payload, getKey });
    requireAccessToken(protectedHeader.typ, payload, known);
    requireTimes(payload);
    if (payload.aud === undefined) requireClient(payload, known.clientIds);
    const proofs = neededProofs(payload, settings.proofs);
    const principal = readPrincipal(payload, known.trusted, settings);
    const checked = { principal, payload, proofs, issuerKeys: known.keys, getKey };
    verified.keep(token, checked);
    return checked;
  };

  const verifyAnew = async (token: string): Promise<CheckedToken> => {
    const claims = decode(token);
    const asked = claims ? undefined : issuers.findForOpaque(token);
    try {
      if (claims) return await verifyJwt(token, claims);
      if (asked) return await verifyOpaqueToken(token, asked, { settings, clock });
      throw new InvalidTokenError('malformed');
    } catch (error) {
      if (error instanceof InvalidTokenError) error.issuer = asked?.trusted.issuer ?? textOf(claims?.iss);
      throw error;
    }
  };

  return (token) => verified.find(token, clock.now()) ?? verifyAnew(token);
}

/** A token in its compact form (RFC 7515, section 3.1), in base64url without padding. Unsigned ones are refused later. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The claims, before anything is verified. `undefined`: it is not a JWT. */
function decode(token: string): JWTPayload | undefined {
  // Decoders forgive padding and more, and then one token has many spellings.
  if (!COMPACT.test(token)) return undefined;
  try {
    return loadJose().decodeJwt(token);
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * A JWT names each claim once (RFC 7519, section 4), and each member of its header (RFC 7515, section 4). Parsers take the last
 * of two, or the first. So a gateway and this server would read two different tokens.
 */
function requireUniqueNames(token: string): void {
  for (const part of token.split('.', 2))
    if (hasDoubledNames(Buffer.from(part, 'base64url').toString()))
      throw new InvalidTokenError('malformed', { cause: new Error('The token has a member twice.') });
}

/** JSON reads `1e400` as infinity, which no clock reaches. */
function requireTimes({ exp, nbf, iat }: JWTPayload): void {
  if ([exp, nbf, iat].some((time) => time !== undefined && !Number.isFinite(time)))
    throw new InvalidTokenError('claims');
}

/** Without an audience, only `token_use` tells an access token from an ID token. Cognito sets it in both. */
function requireClient({ client_id, token_use }: JWTPayload, clientIds: readonly string[]): void {
  if (token_use !== 'access') throw new InvalidTokenError('type');
  if (typeof client_id !== 'string' || !clientIds.includes(client_id))
    throw new InvalidTokenError('audience');
}

/** A token need not name its key. Then each possible key is tried. */
async function verifyWith(
  jose: Jose,
  getKey: JWTVerifyGetKey,
  { token, rules }: { token: string; rules: JWTVerifyOptions },
): Promise<JWTVerifyResult> {
  try {
    return await jose.jwtVerify(token, getKey, rules);
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jose.jwtVerify(token, key, rules);
      } catch (mismatch) {
        if (!(mismatch instanceof jose.errors.JWSSignatureVerificationFailed)) throw mismatch;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

/**
 * A token that does not name its key may be signed with a new key, even if the known ones find a wrong
 * signature.
 */
function isAboutKeys(error: unknown, token: string, { errors, decodeProtectedHeader }: Jose): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return (
    error instanceof errors.JWSSignatureVerificationFailed && decodeProtectedHeader(token).kid === undefined
  );
}

const claimFailures: Readonly<Record<string, TokenFailure>> = {
  aud: 'audience',
  iss: 'issuer',
  nbf: 'not-yet-valid',
  sub: 'subject',
};

function failureOf(error: Error, { errors }: Jose): TokenFailure {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimFailures[error.claim] ?? 'claims';
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown-key';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  return 'malformed';
}
