import type { Clock } from '@toolwright/core/ports';
import { IssuerUnreachableError } from './issuer-keys.js';
import { isNamedBy, type KnownIssuer } from './issuers.js';
import type { OAuthSettings } from './oauth-options.js';
import { readPrincipal } from './read-principal.js';
import { InvalidTokenError, requireNamedAccessToken } from './token-kind.js';
import { neededProofs } from './token-proof.js';
import type { TokenClaims } from './trusted-issuer.js';
import type { CheckedToken } from './verified-tokens.js';

/**
 * Asks the issuer about a token that only it can read (RFC 7662), and checks what it says as if it were the payload of a
 * JWT. The issuer may have issued the token for another resource, or to be refreshed.
 *
 * @throws {InvalidTokenError} when the token is not active, or not valid here
 * @throws {IssuerUnreachableError} when the issuer cannot be asked
 */
export async function verifyOpaqueToken(
  token: string,
  known: KnownIssuer,
  { settings, clock }: { settings: OAuthSettings; clock: Clock },
): Promise<CheckedToken> {
  const { issuer } = known.trusted;
  const answer = await known.ask!(token).catch((cause: unknown) => {
    throw new IssuerUnreachableError(issuer, { cause });
  });
  if (answer === undefined) throw new InvalidTokenError('inactive');
  // The answer need not name the issuer, because the issuer itself has given it. If it names one, that counts.
  const payload: TokenClaims = answer['iss'] === undefined ? { ...answer, iss: issuer } : answer;
  if (!isNamedBy(known, payload)) throw new InvalidTokenError('issuer');
  requireAudience(payload, known);
  requireTimes(payload, clock.now() / 1_000, settings.clockTolerance / 1_000);
  requireNamedAccessToken(payload, known);
  const proofs = neededProofs(payload, settings.proofs);
  return { principal: readPrincipal(payload, known.trusted, settings), payload, proofs };
}

function requireAudience({ aud, client_id }: TokenClaims, { audience, clientIds }: KnownIssuer): void {
  const isFor =
    aud === undefined
      ? typeof client_id === 'string' && clientIds.includes(client_id)
      : [aud].flat().some((each) => typeof each === 'string' && audience.includes(each));
  if (!isFor) throw new InvalidTokenError('audience');
}

/** The rule that jose has for JWTs, in whole seconds. JSON reads `1e400` as infinity, which no clock reaches. */
function requireTimes({ exp, nbf, iat }: TokenClaims, now: number, tolerance: number): void {
  if ([exp, nbf, iat].some((time) => time !== undefined && !Number.isFinite(time)) || exp === undefined)
    throw new InvalidTokenError('claims');
  const seconds = Math.floor(now);
  if ((exp as number) <= seconds - tolerance) throw new InvalidTokenError('expired');
  if (((nbf as number | undefined) ?? 0) > seconds + tolerance) throw new InvalidTokenError('not-yet-valid');
}
