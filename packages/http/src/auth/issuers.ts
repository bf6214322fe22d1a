import type { Clock } from '@toolwright/core/ports';
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose';
import { IssuerKeys } from './issuer-keys.js';
import type { OAuthSettings } from './oauth-options.js';
import { InvalidTokenError } from './token-kind.js';
import { audiencesIn, type TokenClaims, type TrustedIssuer } from './trusted-issuer.js';

/** An issuer with its keys, and with the rules that hold for its tokens. */
export interface KnownIssuer {
  readonly trusted: TrustedIssuer;
  readonly keys: IssuerKeys;
  readonly audience: readonly string[];
  readonly clientIds: readonly string[];
  readonly requireAtJwt: boolean;
  readonly isAccessToken: TrustedIssuer['isAccessToken'];
  /** Asks the issuer about a token that is opaque to others. */
  readonly ask: ((token: string) => Promise<TokenClaims | undefined>) | undefined;
}

/** The issuers whose tokens are accepted. */
export class Issuers {
  /** Issuers with one identifier. */
  readonly #byName = new Map<string, KnownIssuer>();
  /** Issuers whose tenants have identifiers of their own. */
  readonly #shared: KnownIssuer[] = [];
  /** Issuers that can be asked about tokens. */
  readonly #asked: KnownIssuer[] = [];

  constructor(settings: OAuthSettings, clock: Clock) {
    const ages = { clock, maxAgeMs: settings.keysMaxAge };
    for (const trusted of settings.issuers) {
      const known: KnownIssuer = {
        trusted,
        keys: new IssuerKeys(trusted, ages),
        audience: audiencesIn('oauth.issuers audience', trusted.audience) ?? settings.audience,
        clientIds: trusted.clientIds ?? settings.clientIds,
        requireAtJwt: trusted.requireAtJwt ?? settings.requireAtJwt,
        isAccessToken: trusted.isAccessToken,
        ask: trusted.introspection?.open(trusted, clock),
      };
      if (known.ask) this.#asked.push(known);
      if (trusted.isIssuer) this.#shared.push(known);
      else this.#byName.set(trusted.issuer, known);
    }
  }

  /** @param claims they are not verified yet */
  find(claims: JWTPayload): KnownIssuer | undefined {
    const { iss } = claims;
    if (typeof iss !== 'string') return undefined;
    return this.#byName.get(iss) ?? this.#shared.find((known) => isNamedBy(known, claims));
  }

  /** The issuer to ask about a token that is opaque to others. No other issuer sees the token. */
  findForOpaque(token: string): KnownIssuer | undefined {
    return this.#asked.find(({ trusted }) => {
      const { isOwn } = trusted.introspection!;
      return !isOwn || isOwn(token) === true;
    });
  }
}

/**
 * True if these claims are of this issuer.
 *
 * @param claims they may be unverified
 */
export function isNamedBy({ trusted }: KnownIssuer, claims: TokenClaims): boolean {
  const { iss } = claims;
  if (typeof iss !== 'string') return false;
  return trusted.isIssuer ? trusted.isIssuer(iss, claims) === true : iss === trusted.issuer;
}

interface SignedToken {
  readonly kid: string | undefined;
  readonly payload: JWTPayload;
  readonly getKey: JWTVerifyGetKey;
}

/**
 * The keys of all tenants can be in one set, as with Entra ID. The key of a tenant must not sign for another one.
 *
 * @throws {InvalidTokenError} `issuer`
 */
export function requireOwnKey({ trusted }: KnownIssuer, { kid, payload, getKey }: SignedToken): void {
  const { isKeyFor } = trusted;
  if (!isKeyFor) return;
  const { keys } = (getKey as JWTVerifyGetKey & { jwks(): JSONWebKeySet }).jwks();
  // Without a key id, any of them may have signed it.
  const may = keys.filter((key) => kid === undefined || key.kid === kid);
  if (!may.every((key) => isKeyFor({ ...key }, payload))) throw new InvalidTokenError('issuer');
}
