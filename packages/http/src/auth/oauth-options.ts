import {
  type Duration,
  type ExchangeRule,
  type GrantsOptions,
  optionRules,
  parseOptions,
  type TokenForOptions,
  type OptionSchema,
  type WithDefaults,
  wrongOption,
} from '@toolwright/core/options';
import type { ChallengeForm } from '../endpoint/bearer.js';
import { loadIdentity } from './load-identity.js';
import type { TokenProof } from './token-proof.js';
import { audiencesIn, checkIssuer, secureUrl, trustedIssuer, type TrustedIssuer } from './trusted-issuer.js';

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /**
     * A token for a resource that lies behind this server, as the option `exchange` of `oauthResourceServer` allows it. A
     * tool never sees the token of its caller. Use the token for requests to the resource, and return, log and store none.
     *
     * @param resource a key of `exchange`
     * @throws {ToolError} which tells the model, and so the user, what to do
     */
    tokenFor(resource: string, options?: TokenForOptions): Promise<string>;
  }
}

export interface OAuthResourceServerOptions {
  /**
   * The URI of this endpoint as clients reach it, such as `https://api.example.com/mcp`. Tokens must be
   * issued for it.
   */
  resource: string;
  /** The issuers whose tokens are accepted. At least one. Each may have rules of its own. */
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
  /**
   * What clients put before a scope when they ask the issuer for it, such as `api://<app>/` for Entra ID. The scopes of
   * this server, in `@RequireScopes` as in these options, have no prefix. The server writes it in metadata and challenges,
   * and takes it off the scopes of a token. Default: none.
   */
  scopePrefix?: string;
  /** Lets callers in that have no token. They see only operations that need no scope. Default false. */
  anonymous?: boolean;
  /**
   * How a call is refused whose caller lacks scopes. `'http'`: status 401 or 403 with `WWW-Authenticate`, and a body that
   * is also an error result with the same in `_meta['mcp/www_authenticate']`. `'result'`: status 200 with that body.
   * `'auto'`: `'result'` for clients that read nothing else, by the name that they state, and `'http'` for all others. It
   * decides the form only, never who may call. Default `'auto'`.
   */
  challenge?: ChallengeForm;
  /** How far two clocks may differ. Default 5 seconds. 0: not at all. */
  clockTolerance?: Duration;
  /**
   * Accepts only tokens whose header `typ` is `at+jwt` (RFC 9068). Default false, because Entra ID, Keycloak
   * and Auth0 send `JWT`, and Cognito sends no `typ`. Such tokens are accepted, unless their claims mark them
   * as ID, logout or refresh tokens.
   */
  requireAtJwt?: boolean;
  /**
   * How long the keys of an issuer are still used while the issuer cannot be reached. While it can be reached,
   * its keys are fetched again every five minutes. Default 1 hour. 0: not at all.
   */
  keysMaxAge?: Duration;
  /**
   * How many accepted tokens are remembered (as digests), so that the next request with the same token needs no check
   * of its signature. A remembered token is refused as soon as it expires, and is verified again after its issuer's keys
   * were fetched: after five minutes at most. Default 1 second, which takes some 2 MB. 0 verifies every request.
   */
  rememberedTokens?: number;
  /**
   * Tokens that are bound to a key by DPoP (RFC 9449): `'accepted'` beside others, or `'required'`. It needs the package
   * `@toolwright/identity`. Default `'off'`: such a token is refused, because nothing checks who has the key.
   */
  dpop?: 'off' | 'accepted' | 'required';
  /**
   * Further checks that the sender of a token has the key that it is bound to, such as `clientCertificates` of
   * `@toolwright/identity`, or `dpopProofs` with settings of your own. Default: none.
   */
  proofs?: readonly TokenProof[];
  /**
   * How tools get tokens for what lies behind this server (`ctx.tokenFor`), by resource. It needs the package
   * `@toolwright/identity`. Default: they get none.
   */
  exchange?: Readonly<Record<string, ExchangeRule>>;
  /**
   * The page on which users sign in at the issuers of resources, for rules of `exchange` by `stored-grant`. `oauth.pages`
   * serves it. Default: there is none.
   */
  grants?: GrantsOptions;
  /** The name of the resource, for consent pages. */
  resourceName?: string;
  /** The URL of a page that tells developers how to use the resource. */
  resourceDocumentation?: string;
}

const { anyObject, callback, count, durationFromZero, either, filledText, flag, listOf } = optionRules;
const { oauthScope, objectWith, oneOf, recordOf, required, text } = optionRules;
const ASYMMETRIC = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const texts = listOf('a list of strings', text);

/** Every option of `oauthResourceServer` with its rule and its default. */
const oauthOptions = {
  resource: required(text),
  issuers: required(listOf('a list of issuers', trustedIssuer)),
  audience: either(text, texts),
  clientIds: { ...texts, default: [] },
  algorithms: { ...texts, default: ASYMMETRIC },
  scopesSupported: { ...texts, default: [] },
  impliedScopes: { ...recordOf('an object with lists of scopes', texts), default: {} },
  tenant: either(filledText, callback),
  scopePrefix: { ...text, default: '' },
  anonymous: { ...flag, default: false },
  challenge: { ...oneOf('http', 'result', 'auto'), default: 'auto' },
  clockTolerance: { ...durationFromZero, default: '5s' },
  requireAtJwt: { ...flag, default: false },
  keysMaxAge: { ...durationFromZero, default: '1h' },
  rememberedTokens: { ...count, default: 1_000 },
  dpop: { ...oneOf('off', 'accepted', 'required'), default: 'off' },
  proofs: {
    ...listOf('a list of checks', objectWith('what @toolwright/identity makes', 'check')),
    default: [],
  },
  // The package that is loaded for it knows the rules.
  exchange: recordOf('an object with a rule for each resource', anyObject),
  grants: anyObject,
  resourceName: text,
  resourceDocumentation: text,
} satisfies OptionSchema<OAuthResourceServerOptions>;

type CheckedOptions = WithDefaults<OAuthResourceServerOptions, typeof oauthOptions>;

/** The options after they were checked and completed. Durations are in milliseconds. */
export interface OAuthSettings extends Omit<
  CheckedOptions,
  'resource' | 'issuers' | 'audience' | 'impliedScopes' | 'tenant' | 'dpop'
> {
  resource: URL;
  issuers: readonly TrustedIssuer[];
  audience: string[];
  impliedScopes: ReadonlyMap<string, readonly string[]>;
  /** Returns the tenant of a caller. What it returns is checked. */
  tenantOf: ((claims: Readonly<Record<string, unknown>>) => unknown) | undefined;
  /** Members of the protected resource metadata that do not follow from the other options. */
  described: { resource_name?: string; resource_documentation?: string };
}

/**
 * @throws {ConfigurationError} for options that are unknown, missing, of the wrong type, or have a value that is not usable
 */
export function resolveOAuthOptions(given: OAuthResourceServerOptions): OAuthSettings {
  const options = parseOptions('oauthResourceServer', oauthOptions, given);
  const { resource, issuers, audience, algorithms, scopesSupported } = options;
  const names = issuers.map((entry) => (typeof entry === 'string' ? entry : entry.issuer));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrongOption(`oauth.issuers has ${twice} twice.`, 'Name each issuer once.');
  if (issuers.length === 0) throw wrongOption('oauth.issuers is empty.', 'Name at least one issuer.');
  if (algorithms.length === 0)
    throw wrongOption(
      'oauth.algorithms is empty, so no token could be accepted.',
      'Name the algorithms of your issuers, or leave it out.',
    );
  requireOneToAsk(issuers);
  const audiences = audiencesIn('oauth.audience', audience);
  requireScopes('oauth.scopesSupported', scopesSupported);
  if (options.scopePrefix !== '') requireScopes('oauth.scopePrefix', [options.scopePrefix]);
  requireScopes('oauth.impliedScopes', Object.entries(options.impliedScopes).flat(2));
  const weak = algorithms.find((name) => /^(?:none|HS\d+)$/i.test(name));
  if (weak)
    throw wrongOption(
      `oauth.algorithms has ${weak}: only asymmetric signatures prove who issued a token.`,
      'Leave it out.',
    );
  if (scopesSupported.includes('offline_access')) {
    throw wrongOption(
      'oauth.scopesSupported has offline_access: that is between the client and its issuer.',
      'Leave it out.',
    );
  }
  const url = secureUrl('oauth.resource', resource);
  if (url.hash !== '' || resource.includes('#'))
    throw wrongOption(
      `oauth.resource: ${resource} has a fragment, which no resource has (RFC 8707, section 2).`,
      'Write the URL of the endpoint without it.',
    );
  return {
    ...options,
    resource: url,
    issuers: issuers.map(checkIssuer),
    audience: audiences ?? spellingsOf(resource, url),
    impliedScopes: new Map(Object.entries(options.impliedScopes)),
    tenantOf: tenantFinder(options.tenant),
    proofs: proofsOf(options),
    described: { resource_name: options.resourceName, resource_documentation: options.resourceDocumentation },
  };
}

/**
 * @throws {ConfigurationError} when two of them check the same, or the package that checks DPoP is not installed
 */
function proofsOf({ dpop = 'off', proofs = [] }: OAuthResourceServerOptions): readonly TokenProof[] {
  type Make = (options: { required: boolean }) => TokenProof;
  const own =
    dpop === 'off' ? [] : [loadIdentity<Make>('dpopProofs', 'dpop')({ required: dpop === 'required' })];
  const all = [...proofs, ...own];
  const twice = all.find(({ confirms }, at) => all.findIndex((proof) => proof.confirms === confirms) !== at);
  if (twice) throw wrongOption(`oauth.proofs: two of them check ${twice.confirms}.`, 'Leave one out.');
  return all;
}

/**
 * A token that only its issuer can read does not name it. An issuer that is asked about the token of another one could use
 * that token.
 */
function requireOneToAsk(issuers: OAuthResourceServerOptions['issuers']): void {
  const asked = issuers.filter(
    (entry) => typeof entry !== 'string' && entry.introspection,
  ) as TrustedIssuer[];
  const unsure = asked.find(({ introspection }) => !introspection!.isOwn);
  if (asked.length > 1 && unsure)
    throw wrongOption(
      `oauth.issuers: several issuers are asked about tokens, and ${unsure.issuer} would be asked about all of them.`,
      'Set "isOwn" of each tokenIntrospection, so that no issuer sees tokens of another.',
    );
}

/**
 * The resource as it is configured (and published in its metadata), and with and without a slash at its end.
 * Clients and issuers write the root of an origin either way, and all of these mean this endpoint.
 */
function spellingsOf(resource: string, { href }: URL): string[] {
  const bare = href.replace(/\/$/, '');
  return [...new Set([resource, href, bare, `${bare}/`])];
}

/** A function may say that a caller has no tenant. A claim that is missing says nothing, so it is not a tenant. */
function tenantFinder(tenant: OAuthResourceServerOptions['tenant']): OAuthSettings['tenantOf'] {
  return typeof tenant === 'string' ? (claims) => claims[tenant] ?? null : tenant;
}

function requireScopes(option: string, scopes: readonly string[]): void {
  const wrong = scopes.find((scope) => !oauthScope.accepts(scope));
  if (wrong !== undefined)
    throw wrongOption(
      `${option}: ${JSON.stringify(wrong)} is not a scope.`,
      'A scope has no blank, quote or backslash (RFC 6749, section 3.3).',
    );
}
