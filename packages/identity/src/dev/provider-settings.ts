import { readUrl, isLoopback } from '@toolwright/json';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ClientMetadata, Configuration, JWK, ResourceServer, interactionPolicy } from 'oidc-provider';
import type { TestUser } from './test-users.js';
import { settingsForClients } from './client-metadata.js';

/** The grant that gives a program on this machine a token of a test user, without a page. */
export const TEST_USER_GRANT = 'urn:toolwright:params:oauth:grant-type:test-user';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A client that the issuer of development knows at once. It has a secret, so it may exchange tokens (RFC 8693). */
export interface DevIssuerClient {
  readonly client_id: string;
  /** It shows the secret in the form of its requests (`client_secret_post`). */
  readonly client_secret: string;
  readonly client_name?: string;
  /** Where people come back to whom it has sign in. Default: nobody signs in with it. */
  readonly redirect_uris?: readonly string[];
}

/** The client of the grant of test users: the command `toolwright`, and tests. */
export const LOCAL_CLIENT = 'toolwright';

/** Hour-long tokens: a working day has a few refreshes, and a client that cannot refresh is noticed. */
const TOKEN_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export interface ProviderWish {
  users: readonly TestUser[];
  clients?: readonly DevIssuerClient[] | undefined;
  /** The only resource that tokens are issued for. `undefined`: every one on this machine. */
  resource: string | undefined;
  /** Fetches client metadata documents. */
  fetch: typeof fetch | undefined;
  /** Thrown for a resource that gets no tokens. */
  refuseResource: () => Error;
  /** What a person is asked. */
  prompts: interactionPolicy.DefaultPolicy;
}

/** The settings of oidc-provider. Every function whose default it warns of is set. */
export function providerSettings({
  users,
  clients = [],
  resource,
  fetch,
  refuseResource,
  prompts,
}: ProviderWish): Configuration {
  const scopes = [...new Set(users.flatMap((user) => user.scopes))];
  const find = (subject: string) => users.find((user) => user.subject === subject);
  return {
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('hex')], long: { path: '/' }, short: { path: '/' } },
    clients: [
      {
        client_id: LOCAL_CLIENT,
        client_name: 'The toolwright command',
        token_endpoint_auth_method: 'none',
        grant_types: [TEST_USER_GRANT],
        redirect_uris: [],
        response_types: [],
      },
      ...clients.map(settingsOfClient),
    ],
    scopes: ['openid', 'offline_access', ...scopes],
    claims: { openid: ['sub'], profile: ['name'] },
    findAccount: (_ctx, subject) => {
      const user = find(subject);
      return user && { accountId: subject, claims: () => ({ sub: subject, name: user.name ?? subject }) };
    },
    extraTokenClaims: (_ctx, { accountId = '' }: { accountId?: string }) => find(accountId)?.claims,
    ...settingsForClients([LOCAL_CLIENT, ...clients.map(({ client_id: id }) => id)]),
    pkce: { required: () => true },
    // Otherwise only clients that ask for offline_access would get one, and few clients do.
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => readUrl(uri)?.origin === origin),
    interactions: { policy: prompts, url: (_ctx, { uid }) => `/sign-in/${uid}` },
    // Nobody stays signed in, so no token can end with that.
    expiresWithSession: () => false,
    ttl: {
      AccessToken: TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: DAY_SECONDS,
      IdToken: TOKEN_SECONDS,
      Interaction: TOKEN_SECONDS,
      RefreshToken: DAY_SECONDS,
      Session: DAY_SECONDS,
    },
    discovery: {
      toolwright_test_users: users.map(({ subject, name = subject, scopes: granted }) => ({
        subject,
        name,
        scopes: granted,
      })),
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource ?? [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, asked) => {
          if (!isServed(asked, resource)) throw refuseResource();
          return resourceServer(asked, scopes);
        },
      },
    },
    ...(fetch && { fetch }),
  } as Configuration;
}

function settingsOfClient({ redirect_uris: redirects = [], ...client }: DevIssuerClient): ClientMetadata {
  const grants = redirects.length > 0 ? ['authorization_code', 'refresh_token'] : [];
  return {
    ...client,
    redirect_uris: [...redirects],
    response_types: redirects.length > 0 ? ['code'] : [],
    grant_types: [...grants, TOKEN_EXCHANGE],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

/** What a token for a resource looks like. */
export function resourceServer(resource: string, scopes: readonly string[]): ResourceServer {
  return {
    audience: resource,
    scope: scopes.join(' '),
    accessTokenTTL: TOKEN_SECONDS,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  };
}

/** Tokens of invented people must not open anything beyond this machine. */
export function isServed(asked: string, resource: string | undefined): boolean {
  if (resource !== undefined) return asked === resource;
  const url = readUrl(asked);
  return url !== undefined && isLoopback(url);
}

/** A new key for each start. A token of yesterday opens nothing. */
function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK;
}
