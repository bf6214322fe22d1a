import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { Provider } from 'oidc-provider';
import { loadProvider, quietly } from '../../src/dev/load-provider.js';
import { RESOURCE } from './proof-of-key.js';

/** What a test wants of a token. */
export interface OpaqueWish {
  readonly resource?: string;
  readonly scope?: string;
  readonly subject?: string;
  /** In seconds. */
  readonly life?: number;
  /** The thumbprint of the key that it is bound to. */
  readonly jkt?: string;
  readonly kind?: 'AccessToken' | 'ClientCredentials' | 'RefreshToken';
}

export interface OpaqueIssuer {
  readonly issuer: string;
  readonly origin: string;
  /** The tokens that its endpoint was asked about, in order, with the way in which the client has proven itself. */
  readonly asked: { token: string; by: string }[];
  /** Is waited for before each answer. */
  gate: Promise<unknown>;
  /** Changes an answer of the provider, or takes its place. */
  change: ((answer: Record<string, unknown>) => unknown) | undefined;
  /** Answers in place of the provider. */
  outage: number | undefined;
  /** The private key of the client `mcp-key`. */
  readonly clientKey: JWK;
  token(wish?: OpaqueWish): Promise<string>;
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

/** A real authorization server whose access tokens are opaque. */
export async function startOpaqueIssuer(): Promise<OpaqueIssuer> {
  const { Provider: OidcProvider } = await loadProvider();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const members = { alg: 'ES256', kid: 'of the client', use: 'sig' };
  const signing = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const client = (client_id: string, method: string, more: object = {}) => ({
    client_id,
    client_secret: `secret of ${client_id}`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: method,
    ...more,
  });
  const publicKey = { ...pair.publicKey.export({ format: 'jwk' }), ...members };
  const provider = await quietly(
    async () =>
      new OidcProvider(origin, {
        jwks: { keys: [{ ...signing, use: 'sig', alg: 'RS256', kid: 'k' }] },
        cookies: { keys: ['secret of the cookies'] },
        clients: [
          client('mcp', 'client_secret_post'),
          client('mcp-basic', 'client_secret_basic'),
          client('mcp-key', 'private_key_jwt', { jwks_uri: 'https://client.example/keys' }),
          client('desktop', 'client_secret_post'),
        ],
        // The keys of the client, which the provider fetches.
        fetch: () => Promise.resolve(Response.json({ keys: [publicKey] })),
        scopes: ['openid', 'offline_access', 'read', 'write'],
        ttl: { Grant: 3_600 },
        findAccount: (_ctx: unknown, subject: string) => ({
          accountId: subject,
          claims: () => ({ sub: subject }),
        }),
        features: {
          devInteractions: { enabled: false },
          clientCredentials: { enabled: true },
          dPoP: { enabled: true },
          introspection: { enabled: true, allowedPolicy: () => true },
          resourceIndicators: { enabled: true },
        },
      } as never),
  );
  const self: OpaqueIssuer = {
    issuer: origin,
    origin,
    asked: [],
    gate: Promise.resolve(),
    change: undefined,
    outage: undefined,
    clientKey: { ...pair.privateKey.export({ format: 'jwk' }), ...members } as JWK,
    token: (wish = {}) => makeToken(provider, wish),
    async revoke(token) {
      await (await provider.AccessToken.find(token))!.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  provider.use(async (ctx, next) => {
    if (ctx.path !== '/token/introspection') return next();
    await self.gate;
    if (self.outage !== undefined) return void Object.assign(ctx, { status: self.outage, body: 'away' });
    await next();
    const { token = '', client_assertion: assertion, client_secret: secret } = ctx.oidc?.params ?? {};
    const by = assertion ? 'private_key_jwt' : secret || ctx.oidc?.body?.['client_secret'] ? 'post' : 'basic';
    self.asked.push({ token: String(token), by });
    if (self.change && ctx.status === 200) ctx.body = self.change(ctx.body as Record<string, unknown>);
  });
  const answer = provider.callback();
  server.on('request', (req, res) => void answer(req, res));
  return self;
}

/** A token that the provider itself has stored. */
async function makeToken(provider: Provider, wish: OpaqueWish): Promise<string> {
  const {
    resource = RESOURCE,
    scope = 'read',
    subject = 'ann',
    life = 600,
    jkt,
    kind = 'AccessToken',
  } = wish;
  const client = (await provider.Client.find('desktop'))!;
  const grant = new provider.Grant({ accountId: subject, clientId: 'desktop' });
  grant.addResourceScope(resource, scope);
  const Kind = provider[kind] as unknown as new (members: object) => { save(): Promise<string> };
  const token = new Kind({
    client,
    scope,
    gty: 'authorization_code',
    expiresIn: life,
    ...(jkt !== undefined && { jkt }),
    ...(kind !== 'ClientCredentials' && { accountId: subject, grantId: await grant.save() }),
    ...(kind === 'RefreshToken' ? { resource } : { aud: resource }),
  });
  return token.save();
}
