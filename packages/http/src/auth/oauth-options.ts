import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { ChallengeForm } from './bearer.js';

/** An authorization server whose tokens are accepted. */
export interface TrustedIssuer {
  /** The issuer identifier, exactly as tokens carry it in `iss`. */
  issuer: string;
  /**
   * The URL of the issuer's keys. Default: the URL in the issuer's own metadata (RFC 8414, then OpenID
   * discovery).
   */
  jwksUri?: string;
}

export interface OAuthResourceServerOptions {
  /**
   * The URI of this endpoint as clients reach it, such as `https://api.example.com/mcp`. Tokens must be
   * issued for it.
   */
  resource: string;
  /** The issuers whose tokens are accepted. At least one. */
  issuers: readonly (string | TrustedIssuer)[];
  /** What `aud` must contain. Default: `resource`, with or without a slash at its end. */
  audience?: string | readonly string[];
  /**
   * The clients (by `client_id`) whose access tokens are accepted although they have no `aud`. This is for
   * issuers that name no audience, such as Cognito. There, only the client tells what a token is for, so
   * these clients must not use any other resource. A token that has an `aud` is checked by it. Default: none;
   * a token without `aud` is refused.
   */
  clientIds?: readonly string[];
  /**
   * The accepted signature algorithms (JWS `alg`). Default: RS256, PS256, ES256, ES384, EdDSA. Symmetric
   * algorithms and `none` are refused.
   */
  algorithms?: readonly string[];
  /** The scopes that a client should ask for first. They are named in the metadata and in 401 challenges. */
  scopesSupported?: readonly string[];
  /** Scopes that include other scopes: `{ 'pages:write': ['pages:read'] }`. */
  impliedScopes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Finds the tenant of a caller: the name of a claim that holds it, such as `tid`, or a function of the claims. A token
   * without that claim is refused. A function may return `undefined` for a caller that belongs to no tenant; if it throws,
   * or returns anything else but a text, the token is refused. Default: callers have no tenant.
   */
  tenant?: string | ((claims: Readonly<Record<string, unknown>>) => string | undefined);
  /** Lets callers in that have no token. They see only operations that need no scope. Default false. */
  anonymous?: boolean;
  /**
   * How a call is refused whose caller lacks scopes. `'http'`: status 401 or 403 with `WWW-Authenticate`, and a body that
   * is also an error result with the same in `_meta['mcp/www_authenticate']`. `'result'`: status 200 with that body.
   * `'auto'`: `'result'` for clients that read nothing else, by the name that they state, and `'http'` for all others. It
   * decides the form only, never who may call. Default `'auto'`.
   */
  challenge?: ChallengeForm;
  /** How far two clocks may differ. Default 5 seconds. */
  clockTolerance?: Duration;
  /**
   * Accepts only tokens whose header `typ` is `at+jwt` (RFC 9068). Default false, because Entra ID, Keycloak
   * and Auth0 send `JWT`, and Cognito sends no `typ`. Such tokens are accepted, unless their claims mark them
   * as ID, logout or refresh tokens.
   */
  requireAtJwt?: boolean;
  /**
   * How long the keys of an issuer are still used while the issuer cannot be reached. While it can be reached,
   * its keys are fetched again every five minutes. Default 1 hour.
   */
  keysMaxAge?: Duration;
  /**
   * How many accepted tokens are remembered (as digests), so that the next request with the same token needs no check
   * of its signature. A remembered token is refused as soon as it expires, and is verified again after its issuer's keys
   * were fetched: after five minutes at most. Default 1 second, which takes some 2 MB. 0 verifies every request.
   */
  rememberedTokens?: number;
  /** The name of the resource, for consent pages. */
  resourceName?: string;
  /** The URL of a page that tells developers how to use the resource. */
  resourceDocumentation?: string;
}

const { callback, count, durationFromZero, either, filledText, flag, group, listOf, oauthScope, oneOf } =
  optionRules;
const { recordOf, required, text } = optionRules;
const ASYMMETRIC = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const texts = listOf('a list of strings', text);

const issuerOptions = { issuer: required(text), jwksUri: text } satisfies OptionSchema<TrustedIssuer>;

/** Every option of `oauthResourceServer` with its rule and its default. */
const oauthOptions = {
  resource: required(text),
  issuers: required(listOf('a list of issuers', either(text, group(issuerOptions)))),
  audience: either(text, texts),
  clientIds: { ...texts, default: [] },
  algorithms: { ...texts, default: ASYMMETRIC },
  scopesSupported: { ...texts, default: [] },
  impliedScopes: { ...recordOf('an object with lists of scopes', texts), default: {} },
  tenant: either(filledText, callback),
  anonymous: { ...flag, default: false },
  challenge: { ...oneOf('http', 'result', 'auto'), default: 'auto' },
  clockTolerance: { ...durationFromZero, default: '5s' },
  requireAtJwt: { ...flag, default: false },
  keysMaxAge: { ...durationFromZero, default: '1h' },
  rememberedTokens: { ...count, default: 1_000 },
  resourceName: text,
  resourceDocumentation: text,
} satisfies OptionSchema<OAuthResourceServerOptions>;

/** The options after they were checked and completed. */
export interface OAuthSettings {
  resource: URL;
  issuers: readonly TrustedIssuer[];
  audience: string[];
  clientIds: readonly string[];
  algorithms: string[];
  scopesSupported: readonly string[];
  impliedScopes: ReadonlyMap<string, readonly string[]>;
  /** Returns the tenant of a caller. What it returns is checked. */
  tenantOf: ((claims: Readonly<Record<string, unknown>>) => unknown) | undefined;
  anonymous: boolean;
  challenge: ChallengeForm;
  clockToleranceMs: number;
  requireAtJwt: boolean;
  keysMaxAgeMs: number;
  rememberedTokens: number;
  /** Members of the protected resource metadata that do not follow from the other options. */
  described: { resource_name?: string; resource_documentation?: string };
}

/**
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @throws {TypeError} naming an option whose value is not usable, and saying what it must be
 */
export function resolveOAuthOptions(given: OAuthResourceServerOptions): OAuthSettings {
  const options = parseOptions('oauthResourceServer', oauthOptions, given);
  const { resource, issuers, audience, algorithms, scopesSupported } = options;
  if (issuers.length === 0) throw new TypeError('oauth.issuers is empty: name at least one issuer.');
  if (algorithms.length === 0)
    throw new TypeError('oauth.algorithms is empty, so no token could be accepted.');
  const audiences = audience === undefined ? undefined : [audience].flat();
  if (audiences && (audiences.length === 0 || audiences.includes('')))
    throw new TypeError('oauth.audience is empty: name what tokens must have as "aud", or leave it out.');
  requireScopes('oauth.scopesSupported', scopesSupported);
  requireScopes('oauth.impliedScopes', Object.entries(options.impliedScopes).flat(2));
  const weak = algorithms.find((name) => /^(?:none|HS\d+)$/i.test(name));
  if (weak)
    throw new TypeError(`oauth.algorithms has ${weak}: only asymmetric signatures prove who issued a token.`);
  if (scopesSupported.includes('offline_access')) {
    throw new TypeError(
      'oauth.scopesSupported has offline_access: that is between the client and its issuer.',
    );
  }
  const url = secureUrl('oauth.resource', resource);
  if (url.hash !== '' || resource.includes('#'))
    throw new TypeError(
      `oauth.resource: ${resource} has a fragment, which no resource has (RFC 8707, section 2).`,
    );
  return {
    resource: url,
    issuers: issuers.map(trusted),
    audience: audience === undefined ? spellingsOf(resource, url) : [audience].flat(),
    clientIds: options.clientIds,
    algorithms: [...algorithms],
    scopesSupported,
    impliedScopes: new Map(Object.entries(options.impliedScopes)),
    tenantOf: tenantFinder(options.tenant),
    anonymous: options.anonymous,
    challenge: options.challenge,
    clockToleranceMs: options.clockTolerance,
    requireAtJwt: options.requireAtJwt,
    keysMaxAgeMs: options.keysMaxAge,
    rememberedTokens: options.rememberedTokens,
    described: { resource_name: options.resourceName, resource_documentation: options.resourceDocumentation },
  };
}

/**
 * The resource as it is configured (and published in its metadata), and with and without a slash at its end.
 * Clients and issuers write the root of an origin either way, and all of these mean this endpoint.
 */
function spellingsOf(resource: string, { href }: URL): string[] {
  const bare = href.replace(/\/$/, '');
  return [...new Set([resource, href, bare, `${bare}/`])];
}

function trusted(entry: string | TrustedIssuer): TrustedIssuer {
  const issuer = typeof entry === 'string' ? { issuer: entry } : entry;
  const { search, hash, username, password } = secureUrl('oauth.issuers', issuer.issuer);
  if (search || hash || username || password || /[?#]/.test(issuer.issuer))
    throw new TypeError(
      `oauth.issuers: ${issuer.issuer} has a query, a fragment or user info, which no issuer has (RFC 8414, section 2).`,
    );
  if (issuer.jwksUri) secureUrl('oauth.issuers jwksUri', issuer.jwksUri);
  return issuer;
}

/** A function may say that a caller has no tenant. A claim that is missing says nothing, so it is not a tenant. */
function tenantFinder(tenant: OAuthResourceServerOptions['tenant']): OAuthSettings['tenantOf'] {
  return typeof tenant === 'string' ? (claims) => claims[tenant] ?? null : tenant;
}

function requireScopes(option: string, scopes: readonly string[]): void {
  const wrong = scopes.find((scope) => !oauthScope.accepts(scope));
  if (wrong !== undefined) throw new TypeError(`${option}: ${JSON.stringify(wrong)} is not a scope.`);
}

/** Accepts HTTPS, and HTTP only on this machine. */
export function secureUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return url;
  throw new TypeError(`${what}: expected an https URL, got ${JSON.stringify(text)}.`);
}
