import type { Principal } from '@toolwright/core';
import { type Clock, systemClock } from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { IssuerKeys, IssuerUnreachableError, loadJose } from './issuer-keys.js';
import type { OAuthSettings } from './oauth-options.js';
import { InvalidTokenError, type TokenFailure, requireAccessToken } from './token-kind.js';
import { VerifiedTokens } from './verified-tokens.js';

type Jose = typeof import('jose');

/**
 * Checks signature, algorithm, issuer, audience, times and kind of an access token (RFC 9068). It answers at once for a
 * token that it accepted before.
 *
 * The promise is rejected with `InvalidTokenError` or `IssuerUnreachableError`.
 */
export type VerifyToken = (token: string) => MaybePromise<Principal>;

export function tokenVerifier(settings: OAuthSettings, clock: Clock = systemClock): VerifyToken {
  const ages = { clock, maxAgeMs: settings.keysMaxAgeMs };
  const keys = new Map(settings.issuers.map((trusted) => [trusted.issuer, new IssuerKeys(trusted, ages)]));
  const { audience, clientIds, algorithms, clockToleranceMs, requireAtJwt } = settings;
  const clockTolerance = clockToleranceMs / 1_000;
  const verified = new VerifiedTokens(settings.rememberedTokens, clockTolerance);

  const verifyAnew = async (token: string): Promise<Principal> => {
    const jose = loadJose();
    try {
      // Decoders forgive padding and more, and then one token has many spellings.
      if (!COMPACT.test(token)) throw new InvalidTokenError('malformed');
      const { iss: issuer = '', aud } = jose.decodeJwt(token);
      const issuerKeys = keys.get(issuer);
      if (!issuerKeys) throw new InvalidTokenError('issuer');
      const rules: JWTVerifyOptions = {
        issuer,
        ...((aud !== undefined || clientIds.length === 0) && { audience }),
        algorithms,
        clockTolerance,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'sub'],
      };
      const { protectedHeader, payload, getKey } = await issuerKeys.use(
        async (getKey) => ({ getKey, ...(await verifyWith(jose, getKey, { token, rules })) }),
        (error) => isAboutKeys(error, token, jose),
      );
      requireAccessToken(protectedHeader.typ, payload, requireAtJwt);
      requireTimes(payload);
      if (payload.aud === undefined) requireClient(payload, clientIds);
      const principal = freezeAll(toPrincipal(payload, settings));
      verified.keep(token, { principal, payload, issuerKeys, getKey });
      return principal;
    } catch (error) {
      if (error instanceof InvalidTokenError || error instanceof IssuerUnreachableError) throw error;
      // Everything that jose says about a token is a `JOSEError`. Any other error is about a key that cannot
      // be used.
      if (!(error instanceof jose.errors.JOSEError) || error instanceof jose.errors.JWKInvalid)
        throw new IssuerUnreachableError('the issuer', { cause: error });
      throw new InvalidTokenError(failureOf(error, jose), { cause: error });
    }
  };

  return (token) => verified.find(token, clock.now()) ?? verifyAnew(token);
}

/** A token in its compact form (RFC 7515, section 3.1), in base64url without padding. Unsigned ones are refused later. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** How deep claims may be nested. Those of real issuers have three or four levels. */
const MAX_DEPTH = 64;

/** Many requests share a principal, so no tool may change what the next call sees. */
function freezeAll<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new InvalidTokenError('claims');
  for (const inner of Object.values(Object.freeze(value))) freezeAll(inner, depth + 1);
  return value;
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

interface Candidate {
  token: string;
  rules: JWTVerifyOptions;
}

/** A token need not name its key. Then each possible key is tried. */
async function verifyWith(
  jose: Jose,
  getKey: JWTVerifyGetKey,
  { token, rules }: Candidate,
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

/**
 * Sessions, quotas and sealed states are bound to the subject. If the subject is not a name, many callers
 * would share it.
 */
function toPrincipal(payload: JWTPayload, { impliedScopes, tenantOf }: OAuthSettings): Principal {
  if (typeof payload.sub !== 'string' || payload.sub === '') throw new InvalidTokenError('subject');
  const clientId = payload['client_id'] ?? payload['azp'];
  return {
    issuer: payload.iss,
    subject: payload.sub,
    ...(typeof clientId === 'string' && { clientId }),
    ...(tenantOf && tenantIn(payload, tenantOf)),
    scopes: withImplied(grantedScopes(payload), impliedScopes),
    claims: payload,
  };
}

/** Without a tenant, a caller would meet everybody else that has none. So a tenant that cannot be found is a refusal. */
function tenantIn(
  payload: JWTPayload,
  tenantOf: NonNullable<OAuthSettings['tenantOf']>,
): { tenant?: string } {
  let tenant: unknown;
  try {
    tenant = tenantOf(payload);
  } catch (cause) {
    throw new InvalidTokenError('tenant', { cause });
  }
  if (tenant === undefined) return {};
  if (typeof tenant !== 'string' || tenant === '') throw new InvalidTokenError('tenant');
  return { tenant };
}

/**
 * The scopes of a token: `scope` of RFC 8693 and 9068, or `scp`, which Entra ID and Okta send instead. Each
 * may be a list, or words in one string. If one of them is empty, the other one counts.
 */
function grantedScopes(payload: JWTPayload): string[] {
  const scope = scopesIn(payload['scope']);
  return scope.length > 0 ? scope : scopesIn(payload['scp']);
}

function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word) => typeof word === 'string' && word !== '') as string[];
}

/**
 * Adds the scopes that these scopes include.
 *
 * @param implied the included scopes, by scope
 */
function withImplied(granted: readonly string[], implied: ReadonlyMap<string, readonly string[]>): string[] {
  const all = new Set(granted);
  // A loop over a set also visits what is added meanwhile, so scopes that included scopes include are found,
  // too.
  for (const scope of all) for (const inner of implied.get(scope) ?? []) all.add(inner);
  return [...all];
}
