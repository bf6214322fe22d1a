import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { loadProvider, quietly } from '../../src/dev/load-provider.js';

export const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ON_BEHALF_OF = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CALLER = 'urn:test:caller';

/** The resource that the tokens of callers are for, and the one behind it. */
export const ENDPOINT = 'https://mcp.example.com/mcp';
export const UPSTREAM = 'https://calendar.example.com';

/** A request at the token endpoint, as it came. */
export type TokenRequest = Readonly<Record<string, string>>;

export interface ExchangingIssuer {
  readonly issuer: string;
  /** What was asked at the token endpoint by the server, in order. */
  readonly requests: TokenRequest[];
  /** Is waited for before each answer. */
  gate: Promise<unknown>;
  /** How it answers: with a token, with this error, or with this status. */
  answer: 'token' | 'broken' | { error: string };
  /** How long its tokens live, in seconds. */
  life: number;
  token(subject: string, scopes?: readonly string[], clientId?: string): Promise<string>;
  close(): Promise<void>;
}

/** A real authorization server, with the grants of RFC 8693 and of Entra ID added at its extension point. */
export async function startExchangingIssuer(): Promise<ExchangingIssuer> {
  const { Provider: OidcProvider, errors } = await loadProvider();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k' };
  const known = createLocalJWKSet({
    keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'k' }],
  });
  const scopes = ['read', 'write', 'calendar:read', 'calendar:write'];
  const client = (client_id: string, grant_types: string[]) => ({
    client_id,
    client_secret: `secret of ${client_id}`,
    grant_types,
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
  });
  const self: ExchangingIssuer = {
    issuer,
    requests: [],
    gate: Promise.resolve(),
    answer: 'token',
    life: 3_600,
    async token(subject, asked = scopes, clientId = 'desktop') {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { 'x-caller': 'yes' },
        body: new URLSearchParams({
          grant_type: CALLER,
          client_id: clientId,
          client_secret: `secret of ${clientId}`,
          subject,
          scope: asked.join(' '),
        }),
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const resourceServer = (resource: string) => ({
    audience: resource,
    scope: scopes.join(' '),
    accessTokenFormat: 'jwt',
    accessTokenTTL: self.life,
    jwt: { sign: { alg: 'RS256' } },
  });
  const provider = await quietly(
    async () =>
      new OidcProvider(issuer, {
        jwks: { keys: [key] },
        cookies: { keys: ['secret of the cookies'] },
        clients: [
          client('desktop', [CALLER]),
          client('phone', [CALLER]),
          client('mcp', [EXCHANGE, ON_BEHALF_OF, 'client_credentials']),
        ],
        scopes: ['openid', ...scopes],
        ttl: { AccessToken: () => self.life, ClientCredentials: () => self.life, Grant: 3_600 },
        features: {
          devInteractions: { enabled: false },
          clientCredentials: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_ctx: unknown, resource: string) => {
              if (resource !== UPSTREAM) throw new errors.InvalidTarget('this resource is not known');
              return resourceServer(resource);
            },
          },
        },
      } as never),
  );
  const issue = async (ctx: KoaContextWithOIDC, subject: string, resource: string) => {
    const scope = String(ctx.oidc.params?.['scope'] ?? '').replace(/\S+\/\.default/, 'calendar:read');
    ctx.body = await issueToken(provider, ctx, {
      subject,
      scope,
      resource,
      server: resourceServer(resource),
    });
  };
  const redeem = async (ctx: KoaContextWithOIDC, token: unknown) => {
    try {
      const { payload } = await jwtVerify(String(token), known, { issuer, audience: ENDPOINT });
      return payload.sub!;
    } catch {
      throw new errors.InvalidGrant('the token is not one of ours');
    }
  };
  const register = (name: string, handle: (ctx: KoaContextWithOIDC) => Promise<void>, fields: string[]) =>
    provider.registerGrantType(name, handle as never, ['scope', ...fields]);
  register(CALLER, (ctx) => issue(ctx, String(ctx.oidc.params!['subject']), ENDPOINT), ['subject']);
  register(
    EXCHANGE,
    async (ctx) => {
      const { subject_token: token, resource } = ctx.oidc.params!;
      if (resource !== UPSTREAM) throw new errors.InvalidTarget('this resource is not known');
      await issue(ctx, await redeem(ctx, token), UPSTREAM);
    },
    ['subject_token', 'subject_token_type', 'requested_token_type', 'resource', 'audience'],
  );
  register(
    ON_BEHALF_OF,
    async (ctx) => {
      if (ctx.oidc.params!['requested_token_use'] !== 'on_behalf_of')
        throw new errors.InvalidRequest('requested_token_use is missing');
      await issue(ctx, await redeem(ctx, ctx.oidc.params!['assertion']), UPSTREAM);
    },
    ['assertion', 'requested_token_use'],
  );
  provider.use(async (ctx, next) => {
    if (ctx.path !== '/token' || ctx.get('x-caller') !== '') return next();
    const request: Record<string, string> = {};
    self.requests.push(request);
    await self.gate;
    if (self.answer === 'broken') return void Object.assign(ctx, { status: 503, body: 'secret of mcp' });
    if (self.answer !== 'token') {
      const body = { ...self.answer, error_description: 'secret of the issuer' };
      return void Object.assign(ctx, { status: 400, body });
    }
    await next();
    Object.assign(request, ctx.oidc.body);
  });
  const answer = provider.callback();
  server.on('request', (req, res) => void answer(req, res));
  return self;
}

async function issueToken(
  provider: Provider,
  { oidc }: KoaContextWithOIDC,
  wish: { subject: string; scope: string; resource: string; server: { accessTokenTTL: number } },
) {
  const { subject, scope, resource, server } = wish;
  const grant = new provider.Grant({ accountId: subject, clientId: oidc.client!.clientId });
  if (scope !== '') grant.addResourceScope(resource, scope);
  const token = new provider.AccessToken({
    accountId: subject,
    client: oidc.client!,
    grantId: await grant.save(),
    gty: 'test',
    ...(scope !== '' && { scope }),
  } as never);
  Object.assign(token, { resourceServer: Object.assign(server, { identifier: () => resource }) });
  const access_token = await token.save();
  return { access_token, expires_in: server.accessTokenTTL, token_type: 'Bearer', scope };
}
