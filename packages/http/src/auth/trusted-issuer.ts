import { isSecureUrl } from '@toolwright/json';
import type { Principal } from '@toolwright/core';
import { optionRules, type OptionSchema, wrongOption } from '@toolwright/core/options';
import type { Clock } from '@toolwright/core/ports';

/** The claims of a token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** What a token says about its caller, in the words of this server. A member that is left out is read as usual. */
export type TokenPrincipal = Partial<Pick<Principal, 'subject' | 'clientId' | 'scopes'>>;

/** Fetches what an issuer publishes. The global `fetch` is one; another one may trust a CA of its own. */
export type FetchDocument = (url: string, init: RequestInit) => Promise<Response>;

/** How an issuer is asked about tokens that only it can read. */
export interface TokenIntrospection {
  /** True for tokens that may be of this issuer. No other token is sent to it. Default: every token that is not a JWT. */
  readonly isOwn?: (token: string) => boolean;
  /**
   * Is called once, when the server is set up.
   *
   * @returns what asks about a token. Its promise resolves to `undefined` if the token is not active, and is rejected if the
   *   issuer cannot be asked
   * @throws {Error} when it cannot work for this issuer
   */
  open(
    issuer: TrustedIssuer,
    clock: Clock,
  ): (token: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/**
 * An authorization server whose tokens are accepted. `@toolwright/identity` has one for each of the usual issuers, such as
 * `entraId({ tenant, clientId })`.
 */
export interface TrustedIssuer {
  /** The issuer identifier, exactly as tokens carry it in `iss`. Clients are sent to it. */
  issuer: string;
  /**
   * The URL of the issuer's keys. Default: the URL in the issuer's own metadata (RFC 8414, then OpenID
   * discovery).
   */
  jwksUri?: string;
  /** What `aud` of its tokens must contain. Default: the option `audience` of `oauthResourceServer`. */
  audience?: string | readonly string[];
  /** The clients whose tokens need no `aud`. Default: the option `clientIds` of `oauthResourceServer`. */
  clientIds?: readonly string[];
  /** Accepts only tokens of type `at+jwt`. Default: the option `requireAtJwt` of `oauthResourceServer`. */
  requireAtJwt?: boolean;
  /**
   * For an issuer with many tenants, each of which has an `iss` of its own: true if this `iss` is trusted. It must compare the whole text, because the claims are not verified yet.
   */
  isIssuer?: (iss: string, claims: TokenClaims) => boolean;
  /**
   * True if a key of the issuer may sign a token with these claims. It is for sets with the keys of several tenants. Default:
   * every key may.
   */
  isKeyFor?: (key: Readonly<Record<string, unknown>>, claims: TokenClaims) => boolean;
  /**
   * The positive mark of an access token: true if a verified token is one. It is asked after the server has refused what
   * is marked as another kind.
   */
  isAccessToken?: (claims: TokenClaims) => boolean;
  /** Reads the caller from the claims of a verified token: scopes in other claims, another name for the subject. */
  principal?: (claims: TokenClaims) => TokenPrincipal;
  /**
   * Asks this issuer about tokens that are opaque to others (RFC 7662): `tokenIntrospection` of `@toolwright/identity`. Default: such
   * tokens are refused.
   */
  introspection?: TokenIntrospection;
  /** Fetches metadata and keys, and asks about tokens. Default: the global `fetch`. Redirects count as failures. */
  fetch?: FetchDocument;
  /**
   * Lets this issuer be reached over plain http. This is for an issuer inside of a cluster: whoever can change what is sent
   * there can make tokens for everybody. Default false; addresses of this machine need no permission.
   */
  plainHttp?: boolean;
}

const { callback, flag, group, listOf, either, objectWith, required, text } = optionRules;
const texts = listOf('a list of strings', text);

const issuerOptions = {
  issuer: required(text),
  jwksUri: text,
  audience: either(text, texts),
  clientIds: texts,
  requireAtJwt: flag,
  isIssuer: callback,
  isKeyFor: callback,
  isAccessToken: callback,
  principal: callback,
  introspection: objectWith('what tokenIntrospection of @toolwright/identity makes', 'open'),
  fetch: callback,
  plainHttp: flag,
} satisfies OptionSchema<TrustedIssuer>;

/** The rule of one item of the option `issuers`. */
export const trustedIssuer = either(text, group(issuerOptions));

/** @throws {ConfigurationError} for an identifier that no issuer can have, or an address that is not safe */
export function checkIssuer(entry: string | TrustedIssuer): TrustedIssuer {
  const trusted = typeof entry === 'string' ? { issuer: entry } : entry;
  const { issuer, jwksUri, audience, plainHttp } = trusted;
  const { search, hash, username, password } = secureUrl('oauth.issuers', issuer, plainHttp);
  if (search || hash || username || password || /[?#]/.test(issuer))
    throw wrongOption(
      `oauth.issuers: ${issuer} has a query, a fragment or user info, which no issuer has (RFC 8414, section 2).`,
      'Write the issuer as its metadata has it.',
    );
  if (jwksUri) secureUrl('oauth.issuers jwksUri', jwksUri, plainHttp);
  audiencesIn('oauth.issuers audience', audience);
  return trusted;
}

/** @throws {ConfigurationError} for a list, or an audience, that is empty */
export function audiencesIn(what: string, audience: TrustedIssuer['audience']): string[] | undefined {
  const audiences = audience === undefined ? undefined : [audience].flat();
  if (audiences && (audiences.length === 0 || audiences.includes('')))
    throw wrongOption(`${what} is empty.`, 'Name what tokens must have as "aud", or leave it out.');
  return audiences;
}

/** @throws {ConfigurationError} for a URL that is not secure */
export function secureUrl(what: string, url: string, plainHttp = false): URL {
  if (isSecureUrl(url, plainHttp)) return new URL(url);
  throw wrongOption(
    `${what}: expected an https URL, got ${JSON.stringify(url)}.`,
    'Plain http is accepted on this machine only, and for issuers with "plainHttp".',
  );
}
