import { isSecureUrl, issuerMetadataUrls, readUrl } from '@toolwright/json';
import type { FetchDocument, TrustedIssuer } from './trusted-issuer.js';

/**
 * Finds where an issuer publishes its keys, from its metadata. A document is skipped when it cannot be
 * fetched, is not a document, or belongs to another issuer. This matters: an issuer that only knows OpenID
 * discovery may answer the address of RFC 8414 with a login page or a redirect.
 *
 * @throws {Error} when no document names the keys; it says what was wrong with each
 */
export async function discoverJwksUri(trusted: TrustedIssuer): Promise<string> {
  const { issuer, fetch } = trusted;
  const failures: string[] = [];
  for (const url of new Set(metadataUrls(issuer))) {
    try {
      return jwksUriOf(await fetchJson(url, fetch), trusted);
    } catch (error) {
      failures.push(`${url}: ${(error as Error).message}`);
    }
  }
  throw new Error(failures.join('; '));
}

/** Some issuers with a path publish the document of RFC 8414 where the specification does not look for it. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const misplaced = `${origin}${pathname.replace(/\/$/, '')}/.well-known/oauth-authorization-server`;
  return [...issuerMetadataUrls(issuer), misplaced];
}

function jwksUriOf(metadata: Record<string, unknown>, { issuer, plainHttp }: TrustedIssuer): string {
  // A document of another issuer must not count for this one (RFC 8414 section 3.3).
  if (metadata['issuer'] !== issuer) throw new Error('the metadata is of another issuer');
  if (typeof metadata['jwks_uri'] !== 'string') throw new Error('the metadata has no jwks_uri');
  // Permission for plain http is for the host that the operator has named, not for one that a document names.
  const isNamed = plainHttp === true && hostOf(metadata['jwks_uri']) === hostOf(issuer);
  if (!isSecureUrl(metadata['jwks_uri'], isNamed))
    throw new Error(
      `jwks_uri of ${issuer}: expected an https URL, got ${JSON.stringify(metadata['jwks_uri'])}.`,
    );
  return new URL(metadata['jwks_uri']).href;
}

const hostOf = (url: string) => readUrl(url)?.hostname;

const TIMEOUT_MS = 5_000;

/**
 * Fetches a JSON object that an issuer publishes. It follows no redirects, because the keys that prove tokens
 * must be exactly where the configuration says.
 *
 * @throws {Error} when it cannot be fetched within 5 s, or is not a JSON object
 */
export async function fetchJson(
  url: string,
  fetchDocument: FetchDocument = (...asked) => fetch(...asked),
): Promise<Record<string, unknown>> {
  const response = await fetchDocument(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const value = (await response.json()) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no JSON object');
  return value as Record<string, unknown>;
}
