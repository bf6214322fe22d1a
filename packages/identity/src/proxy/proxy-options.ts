import type { IncomingMessage } from 'node:http';
import { hasCredentials, isSecureUrl, LOOPBACK_HOSTS, readUrl } from '@toolwright/json';
import {
  optionRules,
  parseOptions,
  type Duration,
  type Brand,
  type OptionRule,
  type OptionSchema,
  withDefaults,
} from '@toolwright/core/options';
import {
  loggerRule,
  MemoryRateLimiter,
  MemoryRecordStore,
  systemClock,
  type Clock,
  type Logger,
  type RateLimiter,
  type RecordStore,
} from '@toolwright/core/ports';
import type { FetchDocument } from '../issuers/issuer-preset.js';
import { redirectPatterns } from './redirect-patterns.js';
import { DEFAULT_LIMITS, type ProxyLimits } from './request-limits.js';

/** A person whom the upstream issuer has signed in, or whom an identity assertion names. */
export interface ProxyUser {
  /** The issuer that knows the person. */
  readonly issuer: string;
  /** What tokens have as `sub`. */
  readonly subject: string;
  /** The claims of the ID token, or of the identity assertion. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The issuer that signs people in, and the client that the proxy is there. */
export interface UpstreamIssuer {
  /** The issuer identifier: the proxy reads its metadata from there. */
  readonly issuer: string;
  /** The id that the proxy was registered with. Its redirect URI is `<issuer of the proxy>/oauth/callback`. */
  readonly clientId: string;
  /** Without it, the client is a public one. */
  readonly clientSecret?: string;
  /** The scopes that are requested upstream. Default: `openid`, `profile` and `email`. */
  readonly scopes?: readonly string[];
  /** More parameters of the request upstream, such as `{ prompt: 'select_account' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Sends the requests of the proxy to the issuer, such as `fetchWithCa({ caFile })`. Default: the global `fetch`. */
  readonly fetch?: FetchDocument;
}

/** A client that is known without registration. */
export interface ProxyClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_name?: string;
  readonly redirect_uris?: readonly string[];
  readonly grant_types?: readonly string[];
}

export interface AuthorizationProxyOptions {
  /** The issuer identifier of the proxy, which is also its URL: an origin without a path. https, or http on loopback. */
  readonly issuer: string;
  readonly upstream: UpstreamIssuer;
  /** The endpoints that tokens are for, by URL, with the scopes that each of them knows. */
  readonly resources: Readonly<Record<string, readonly string[]>>;
  /** Which scopes a person may have. A client gets those of them that it asks for. */
  readonly scopesOf: (user: ProxyUser) => readonly string[] | Promise<readonly string[]>;
  /** Seal what the proxy keeps, and its cookies. The first one seals, each of them can open. All replicas have the same. */
  readonly secrets: readonly string[];
  /** Where clients, grants and tokens are kept. Default: in this process, so for one replica only. */
  readonly records?: RecordStore;
  /**
   * Where clients that register themselves may be sent back to: a URL, or the beginning of one that ends in `*`, with its scheme,
   * its whole host and a slash. The port of a loopback address does not matter. Default: loopback addresses only.
   */
  readonly redirects?: readonly string[];
  /** Clients that are known without registration. */
  readonly clients?: readonly ProxyClient[];
  /** False: nobody registers dynamically (RFC 7591). Default: true. */
  readonly registration?: boolean;
  /** False: the id of a client cannot be the URL of its metadata document. Default: true. */
  readonly clientMetadataDocuments?: boolean;
  /**
   * Issuers whose identity assertions (ID-JAG, enterprise-managed authorization) are exchanged for access tokens. Only
   * clients of `clients` with a secret can send them.
   */
  readonly identityAssertions?: readonly string[];
  /** How its pages look: the same object as `about.brand` of `createMcpServer`. Default: no name, and blue. */
  readonly brand?: Brand;
  /** More claims of access tokens, such as `{ tenant: user.claims.tid }`. */
  readonly tokenClaims?: (user: ProxyUser) => Readonly<Record<string, unknown>>;
  readonly lifetimes?: {
    /** Default: 1 hour. More than 0. */
    readonly accessToken?: Duration;
    /** How long a client goes on without a new sign-in. Default: 1 day. More than 0. */
    readonly refreshToken?: Duration;
  };
  /**
   * How many requests one address may send in a minute. The networks of IPv6 count as one address. False: the proxy counts
   * nothing. Default: 10 registrations, 60 requests of sign-ins and 300 of tokens.
   */
  readonly limits?: ProxyLimits | false;
  /** Counts these requests. Pass `stores.rateLimiter`, so that replicas count together. Default: each process counts alone. */
  readonly rateLimiter?: RateLimiter;
  /**
   * The address that a request counts for; `undefined` for a request that is not counted. Set it behind a balancer: there, all
   * requests come from the address of the balancer. Default: the address of the connection, unless it is one of this
   * machine.
   *
   * @example
   * clientAddress: (req) => req.headers['x-real-ip'] as string // if the balancer always writes it
   */
  readonly clientAddress?: (req: IncomingMessage) => string | undefined;
  /** Fetches client metadata documents. Default: a fetch that reaches no address inside of a network. */
  readonly fetch?: typeof fetch;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && readUrl(value) !== undefined;

const origin: OptionRule = {
  expected: 'an origin without a path, such as "https://mcp.example.com"; http on loopback only',
  accepts: (value) => isSecureUrl(value) && new URL(value as string).origin === value,
};
const issuerUrl: OptionRule = {
  expected: 'the URL of an issuer; http on loopback only',
  accepts: (value) => isSecureUrl(value) && !/[?#]/.test(value as string),
};
const resources: OptionRule = {
  expected: 'at least one URL of an endpoint, each with a list of scopes',
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(
      ([url, scopes]) =>
        isUrl(url) &&
        !url.includes('#') &&
        Array.isArray(scopes) &&
        scopes.every((scope) => optionRules.oauthScope.accepts(scope)),
    ),
};

const upstreamRules = {
  issuer: optionRules.required(issuerUrl),
  clientId: optionRules.required(optionRules.filledText),
  clientSecret: optionRules.secret(optionRules.filledText),
  scopes: {
    ...optionRules.listOf('a list of scopes', optionRules.oauthScope),
    default: ['openid', 'profile', 'email'],
  },
  parameters: { ...optionRules.recordOf('an object of strings', optionRules.text), default: {} },
  fetch: optionRules.callback,
} satisfies OptionSchema<UpstreamIssuer>;

const rules = {
  issuer: optionRules.required(origin),
  upstream: optionRules.required(optionRules.group(upstreamRules)),
  resources: optionRules.required(resources),
  scopesOf: optionRules.required(optionRules.callback),
  secrets: optionRules.required(optionRules.secrets),
  records: optionRules.recordStore,
  redirects: {
    ...redirectPatterns,
    default: [...LOOPBACK_HOSTS].map((host) => `http://${host}/*`),
  },
  clients: { ...optionRules.listOf('a list of clients', optionRules.anyObject), default: [] },
  registration: { ...optionRules.flag, default: true },
  clientMetadataDocuments: { ...optionRules.flag, default: true },
  identityAssertions: { ...optionRules.listOf('a list of issuers', issuerUrl), default: [] },
  brand: { ...optionRules.brand, default: {} },
  tokenClaims: optionRules.callback,
  lifetimes: optionRules.group({ accessToken: optionRules.duration, refreshToken: optionRules.duration }),
  limits: optionRules.either(
    optionRules.no,
    optionRules.group({
      registrations: optionRules.positiveCount,
      signIns: optionRules.positiveCount,
      tokens: optionRules.positiveCount,
    }),
  ),
  rateLimiter: optionRules.objectWith('a rate limiter', 'consume'),
  clientAddress: optionRules.callback,
  fetch: optionRules.callback,
  logger: loggerRule,
  clock: optionRules.clock,
};

/** The options as the proxy uses them: every default is filled in, and lifetimes are in seconds. */
export interface ProxySettings extends Omit<
  Required<AuthorizationProxyOptions>,
  'lifetimes' | 'tokenClaims' | 'fetch' | 'upstream' | 'logger' | 'limits' | 'clientAddress'
> {
  readonly upstream: UpstreamIssuer & Required<Pick<UpstreamIssuer, 'scopes' | 'parameters'>>;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly tokenClaims: AuthorizationProxyOptions['tokenClaims'];
  readonly fetch: typeof fetch | undefined;
  readonly logger: Logger | undefined;
  readonly limits: Required<ProxyLimits> | false;
  readonly clientAddress: AuthorizationProxyOptions['clientAddress'];
}

/** @throws {ConfigurationError} that names each wrong option, and what it must be */
export function readProxyOptions(given: AuthorizationProxyOptions): ProxySettings {
  const options = parseOptions('openAuthorizationProxy', rules as never, given) as unknown as ProxySettings &
    Pick<AuthorizationProxyOptions, 'lifetimes'>;
  const { accessToken = '1h', refreshToken = '1d' } = given.lifetimes ?? {};
  const clock = options.clock ?? systemClock;
  return {
    ...options,
    // A group checks its members, and fills in no defaults.
    upstream: withDefaults(upstreamRules, options.upstream),
    clock,
    records: options.records ?? new MemoryRecordStore(clock),
    limits: given.limits === false ? false : { ...DEFAULT_LIMITS, ...given.limits },
    rateLimiter: options.rateLimiter ?? new MemoryRateLimiter(clock),
    accessTokenSeconds: secondsOf(accessToken),
    refreshTokenSeconds: secondsOf(refreshToken),
  };
}

/**
 * How long the claims of a person are needed: as long as anything can be refreshed. It is the same for all ways to sign in,
 * because they share one record.
 */
export const accountSeconds = ({
  refreshTokenSeconds,
  accessTokenSeconds,
}: Pick<ProxySettings, 'refreshTokenSeconds' | 'accessTokenSeconds'>): number =>
  refreshTokenSeconds + accessTokenSeconds;

/**
 * The name of an endpoint in the options, whatever a client writes: official clients send `https://host/` for an endpoint that
 * is an origin, and others end a path with a slash.
 */
export function resourceNamed(asked: string, resources: ProxySettings['resources']): string | undefined {
  if (Object.hasOwn(resources, asked)) return asked;
  const wanted = withoutLastSlash(asked);
  return wanted && Object.keys(resources).find((each) => withoutLastSlash(each) === wanted);
}

function withoutLastSlash(text: string): string | undefined {
  if (!isUrl(text)) return undefined;
  const url = new URL(text);
  if (hasCredentials(url)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}`;
}

const secondsOf = (duration: Duration) => Math.ceil((optionRules.duration.read!(duration) as number) / 1_000);
