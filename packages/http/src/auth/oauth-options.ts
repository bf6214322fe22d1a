import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';

/** An authorization server whose tokens are accepted. */
export interface TrustedIssuer {
  /** Its issuer identifier, exactly as tokens carry it in `iss`. */
  issuer: string;
  /** Where its keys are. Default: found through the issuer's own metadata (RFC 8414, then OpenID discovery). */
  jwksUri?: string;
}

export interface OAuthResourceServerOptions {
  /** URI of this endpoint as clients reach it, such as `https://api.example.com/mcp`. Tokens must be issued for it. */
  resource: string;
  /** Who may issue tokens. At least one. */
  issuers: readonly (string | TrustedIssuer)[];
  /** What `aud` must name. Default: `resource`, with or without a slash at its end. */
  audience?: string | readonly string[];
  /**
   * Clients whose access tokens are taken though they have no `aud`, by their `client_id`. For issuers that name no
   * audience, such as Cognito: there the client is all that says what a token is for, so that no other resource may be
   * served to these clients. A token with an `aud` is judged by that. Default: none; a token without `aud` is refused.
   */
  clientIds?: readonly string[];
  /** Signature algorithms (JWS `alg`). Default: RS256, PS256, ES256, ES384, EdDSA. Symmetric ones and `none` are refused. */
  algorithms?: readonly string[];
  /** Scopes a client should ask for at first; named in the metadata and in 401 challenges. */
  scopesSupported?: readonly string[];
  /** Scopes that include others: `{ 'pages:write': ['pages:read'] }`. */
  impliedScopes?: Readonly<Record<string, readonly string[]>>;
  /** Let callers without a token in; they see only what asks for no scope. Default false. */
  anonymous?: boolean;
  /** Seconds by which clocks may differ. Default 5. */
  clockToleranceSeconds?: number;
  /**
   * Take only tokens whose header `typ` is `at+jwt` (RFC 9068). Default false: Entra ID, Keycloak and Auth0 send `JWT`,
   * Cognito sends none, and both are taken unless their claims mark them as ID, logout or refresh tokens.
   */
  requireAtJwt?: boolean;
  /**
   * Seconds for which an issuer's keys serve while the issuer cannot be reached. As long as it can, they are fetched anew
   * every five minutes. Default 3,600.
   */
  keysMaxAgeSeconds?: number;
  /** Name of the resource, for consent pages. */
  resourceName?: string;
  /** Page that tells developers how to use the resource. */
  resourceDocumentation?: string;
}

const { amount, either, flag, group, listOf, named, recordOf, required, text } = optionRules;
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
  anonymous: { ...flag, default: false },
  clockToleranceSeconds: { ...named('seconds', amount), default: 5 },
  requireAtJwt: { ...flag, default: false },
  keysMaxAgeSeconds: { ...named('seconds', amount), default: 3_600 },
  resourceName: text,
  resourceDocumentation: text,
} satisfies OptionSchema<OAuthResourceServerOptions>;

/** The options, checked and completed. */
export interface OAuthSettings {
  resource: URL;
  issuers: readonly TrustedIssuer[];
  audience: string[];
  clientIds: readonly string[];
  algorithms: string[];
  scopesSupported: readonly string[];
  impliedScopes: ReadonlyMap<string, readonly string[]>;
  anonymous: boolean;
  clockToleranceSeconds: number;
  requireAtJwt: boolean;
  keysMaxAgeSeconds: number;
  /** Members of the protected resource metadata beyond those that follow from the rest. */
  described: { resource_name?: string; resource_documentation?: string };
}

/**
 * @throws {ConfigurationError} for options that are unknown, missing or of another type
 * @throws {TypeError} naming an option whose value makes no sense, and what it must be
 */
export function resolveOAuthOptions(given: OAuthResourceServerOptions): OAuthSettings {
  const options = parseOptions('oauthResourceServer', oauthOptions, given);
  const { resource, issuers, audience, algorithms, scopesSupported } = options;
  if (issuers.length === 0) throw new TypeError('oauth.issuers is empty: name at least one issuer.');
  const weak = algorithms.find((name) => /^(?:none|HS\d+)$/i.test(name));
  if (weak)
    throw new TypeError(`oauth.algorithms has ${weak}: only asymmetric signatures prove who issued a token.`);
  if (scopesSupported.includes('offline_access')) {
    throw new TypeError(
      'oauth.scopesSupported has offline_access: that is between the client and its issuer.',
    );
  }
  const url = secureUrl('oauth.resource', resource);
  return {
    resource: url,
    issuers: issuers.map(trusted),
    audience: audience === undefined ? spellingsOf(resource, url) : [audience].flat(),
    clientIds: options.clientIds,
    algorithms: [...algorithms],
    scopesSupported,
    impliedScopes: new Map(Object.entries(options.impliedScopes)),
    anonymous: options.anonymous,
    clockToleranceSeconds: options.clockToleranceSeconds,
    requireAtJwt: options.requireAtJwt,
    keysMaxAgeSeconds: options.keysMaxAgeSeconds,
    described: { resource_name: options.resourceName, resource_documentation: options.resourceDocumentation },
  };
}

/**
 * The resource as it is configured, as its metadata publishes it, and with and without a slash at its end: clients and
 * issuers spell the root of an origin either way, and all of these are this very endpoint.
 */
function spellingsOf(resource: string, { href }: URL): string[] {
  const bare = href.replace(/\/$/, '');
  return [...new Set([resource, href, bare, `${bare}/`])];
}

function trusted(entry: string | TrustedIssuer): TrustedIssuer {
  const issuer = typeof entry === 'string' ? { issuer: entry } : entry;
  secureUrl('oauth.issuers', issuer.issuer);
  if (issuer.jwksUri) secureUrl('oauth.issuers jwksUri', issuer.jwksUri);
  return issuer;
}

/** HTTPS, or HTTP on this very machine. */
export function secureUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return url;
  throw new TypeError(`${what}: expected an https URL, got ${JSON.stringify(text)}.`);
}
