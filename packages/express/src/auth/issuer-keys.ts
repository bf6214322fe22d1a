import type { JWTVerifyGetKey } from 'jose';
import { loadJose } from './load-jose.js';
import { secureUrl, type TrustedIssuer } from './oauth-options.js';

const FETCH_TIMEOUT_MS = 5000;

/** The issuer's keys cannot be had now; nothing is known about the token. */
export class IssuerUnreachableError extends Error {
  constructor(issuer: string, options: ErrorOptions) {
    super(`The keys of ${issuer} cannot be fetched.`, options);
  }
}

/** Keys of one issuer, fetched when first needed and kept as long as they serve. */
export class IssuerKeys {
  #getKey: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly trusted: TrustedIssuer) {}

  /** @throws {IssuerUnreachableError} */
  async find(): Promise<JWTVerifyGetKey> {
    this.#getKey ??= this.#load();
    try {
      return await this.#getKey;
    } catch (error) {
      this.#getKey = undefined;
      throw new IssuerUnreachableError(this.trusted.issuer, { cause: error });
    }
  }

  async #load(): Promise<JWTVerifyGetKey> {
    const { issuer, jwksUri = await discoverJwksUri(issuer) } = this.trusted;
    const { createRemoteJWKSet } = loadJose();
    return createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: FETCH_TIMEOUT_MS });
  }
}

/** The places where issuers publish metadata, in the order the specification asks clients to try them. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

async function discoverJwksUri(issuer: string): Promise<string> {
  const failures: string[] = [];
  for (const url of new Set(metadataUrls(issuer))) {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    const metadata = response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
    // A document that speaks for another issuer must not vouch for this one (RFC 8414 section 3.3).
    if (metadata?.['issuer'] === issuer && typeof metadata['jwks_uri'] === 'string') {
      return secureUrl(`jwks_uri of ${issuer}`, metadata['jwks_uri']).href;
    }
    failures.push(`${url}: ${response.ok ? 'no jwks_uri for this issuer' : `status ${response.status}`}`);
  }
  throw new Error(failures.join('; '));
}
