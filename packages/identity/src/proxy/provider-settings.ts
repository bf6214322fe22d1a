import { systemClock } from '@toolwright/core/ports';
import { readUrl } from '@toolwright/json';
import type {
  Configuration,
  JWK,
  KoaContextWithOIDC,
  ResourceServer,
  interactionPolicy,
} from 'oidc-provider';
import { randomBytes } from 'node:crypto';
import { settingsForClients } from '../dev/client-metadata.js';
import { isStrictJwt } from '../adapters/strict-jwt.js';
import { PAGES, type Account } from './consent.js';
import { fetchForStrangers } from './fetch-for-strangers.js';
import type { ProviderRecords } from './provider-records.js';
import { type ProxySettings, resourceNamed } from './proxy-options.js';
import { readWithoutScopes } from './read-registration.js';
import { cookieKeys } from './signing-keys.js';

/** RFC 7523. The only assertions that are taken are identity assertions. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const REGISTRATION = '/oauth/register';

const MINUTE_SECONDS = 60;
/** How long the page of consent may stay open. Who asks for one needs no token, so it is kept for no longer. */
const INTERACTION_SECONDS = 1_800;

/** An assertion of a client is remembered until it ends, so it must end soon, and must not be long. */
const LONGEST_ASSERTION_SECONDS = 3_600;
const LONGEST_ASSERTION = 8_000;

export interface ProviderParts {
  readonly settings: ProxySettings;
  readonly records: ProviderRecords;
  readonly keys: readonly JWK[];
  /** What a person is asked. */
  readonly prompts: interactionPolicy.DefaultPolicy;
  /** Reads the body of a registration, and throws for a client that must not register. */
  readonly readRegistration: (ctx: KoaContextWithOIDC) => void;
  /** Thrown for a resource that gets no tokens. */
  readonly refuseResource: () => Error;
  /** Thrown for a request that asks for scopes, and for none that this server knows. */
  readonly refuseScopes: (asked: string) => Error;
  /** Thrown for an assertion of a client that two programs may read in two ways. */
  readonly refuseAssertion: () => Error;
}

/** The settings of oidc-provider. Every function whose default it warns of is set. */
export function providerSettings({
  settings,
  records,
  keys,
  prompts,
  readRegistration,
  refuseResource,
  refuseScopes,
  refuseAssertion,
}: ProviderParts): Configuration {
  const scopes = ['openid', 'offline_access', ...new Set(Object.values(settings.resources).flat())];
  const { accessTokenSeconds, refreshTokenSeconds, resources } = settings;
  const accountOf = async (subject: string) => (await records.get('Account', subject)) as Account | undefined;
  return {
    adapter: records.adapterOf,
    jwks: { keys: [...keys] },
    cookies: { keys: cookieKeys(settings.secrets), long: { path: '/oauth' } },
    clients: settings.clients.map((client) => ({
      token_endpoint_auth_method: client.client_secret === undefined ? 'none' : 'client_secret_basic',
      ...(client.redirect_uris === undefined && {
        redirect_uris: [],
        response_types: [],
        grant_types: [JWT_BEARER],
      }),
      ...client,
    })) as never,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: REGISTRATION,
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    scopes,
    claims: { openid: ['sub'] },
    findAccount: async (_ctx, subject) =>
      (await accountOf(subject)) && { accountId: subject, claims: () => ({ sub: subject }) },
    extraTokenClaims: async (_ctx, token) => {
      const subject = 'accountId' in token ? token.accountId : undefined;
      const account = subject === undefined ? undefined : await accountOf(subject);
      return account && settings.tokenClaims ? { ...settings.tokenClaims(account.user) } : undefined;
    },
    ...settingsForClients(
      settings.clients.map(({ client_id: id }) => id),
      readWithoutScopes,
    ),
    pkce: { required: () => true },
    // oidc-provider calls it for `private_key_jwt` and `client_secret_jwt`, after it has verified the signature.
    assertJwtClientAuthClaimsAndHeader: (ctx, { exp }) => {
      const assertion = String(ctx.oidc.params?.['client_assertion']);
      const seconds = (exp as number) - settings.clock.now() / 1_000;
      const isShort = seconds <= LONGEST_ASSERTION_SECONDS && assertion.length <= LONGEST_ASSERTION;
      if (!isShort || !isStrictJwt(assertion)) throw refuseAssertion();
    },
    // Otherwise only clients that ask for offline_access would get one, and few clients do.
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    rotateRefreshToken: (ctx) => ctx.oidc.client?.clientAuthMethod === 'none',
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => readUrl(uri)?.origin === origin),
    interactions: { policy: prompts, url: (_ctx, { uid }) => PAGES + uid },
    // Nobody stays signed in, so no token can end with that.
    expiresWithSession: () => false,
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: MINUTE_SECONDS,
      Grant: refreshTokenSeconds + accessTokenSeconds,
      IdToken: accessTokenSeconds,
      Interaction: INTERACTION_SECONDS,
      // Of the grant, not of each token: the last refresh must not be later than a day after the sign-in.
      RefreshToken: (ctx, token) =>
        remainingSeconds(token.iiat, refreshTokenSeconds, ctx?.oidc !== undefined),
      Session: INTERACTION_SECONDS,
    },
    ...(settings.identityAssertions.length > 0 && {
      discovery: { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] },
    }),
    features: {
      devInteractions: { enabled: false },
      registration: {
        enabled: settings.registration,
        issueRegistrationAccessToken: false,
        // The first that oidc-provider asks for when it has read the body.
        idFactory(ctx) {
          readRegistration(ctx);
          return randomBytes(16).toString('base64url');
        },
      },
      clientIdMetadataDocument: { enabled: settings.clientMetadataDocuments, ack: 'draft-02' },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      userinfo: { enabled: false },
      // The handler answers below /oauth alone. Clients use each endpoint that the metadata name.
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? Object.keys(resources)[0]!,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, asked) => {
          const resource = resourceNamed(asked, resources);
          if (resource === undefined) throw refuseResource();
          if (ctx.oidc.route === 'authorization') {
            const asked = fillScope(ctx.oidc.params!, resources[resource]!);
            // Otherwise the person would sign in for nothing, and the client would hear that the person has refused.
            if (!asked.split(' ').some((each) => scopes.includes(each))) throw refuseScopes(asked);
          }
          return resourceServerOf(resource, settings);
        },
      },
    },
    fetch: fetchForStrangers(settings),
  } as Configuration;
}

/** A request without a scope means every scope of the endpoint (RFC 6749, section 3.3, leaves it to the server). */
function fillScope(params: Record<string, unknown>, scopes: readonly string[]): string {
  return String((params['scope'] ??= scopes.join(' ') || 'openid'));
}

/** What a token for a resource looks like. */
export function resourceServerOf(
  resource: string,
  { resources, accessTokenSeconds }: Pick<ProxySettings, 'resources' | 'accessTokenSeconds'>,
): ResourceServer {
  return {
    audience: resource,
    scope: resources[resource]!.join(' '),
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  };
}

/** How much of its life a chain of refresh tokens has left. @param began in seconds since the epoch */
function remainingSeconds(began: number | undefined, life: number, isRequest: boolean): number {
  if (began === undefined || !isRequest) return life;
  return Math.max(1, began + life - Math.floor(systemClock.now() / 1_000));
}
