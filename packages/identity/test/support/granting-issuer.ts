import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promptsOfEachSignIn } from '../../src/dev/ask-each-time.js';
import { loadProvider, quietly } from '../../src/dev/load-provider.js';
import { providerSettings, resourceServer } from '../../src/dev/provider-settings.js';
import { signInPages } from '../../src/dev/sign-in.js';

/** The resource that people grant access to. */
export const CALENDAR = 'https://calendar.example.com';
export const SCOPES = ['calendar:read', 'calendar:write'];

/** What people may grant: Cleo has not subscribed to everything. */
const users = [
  { subject: 'ann@home', name: 'Ann at home', scopes: SCOPES },
  { subject: 'bea@home', name: 'Bea at home', scopes: SCOPES },
  { subject: 'cleo@home', name: 'Cleo at home', scopes: ['calendar:read'] },
];

/** A request at the token endpoint or the revocation endpoint. */
export interface IssuerRequest {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface GrantingIssuer {
  readonly issuer: string;
  /** Requests of the server, in order. */
  readonly requests: IssuerRequest[];
  /** `broken`: every request to an endpoint of tokens is answered with 503. */
  answer: 'token' | 'broken';
  /** Is waited for before each answer. */
  gate: Promise<unknown>;
  /** How long access tokens live, in seconds. */
  life: number;
  refreshes(): number;
  register(redirect: string): Promise<{ clientId: string; clientSecret: string }>;
  close(): Promise<void>;
}

/**
 * A real authorization server of the API behind a tool: authorization code with PKCE, refresh tokens that change with each use
 * and end their grant when an old one comes back, and revocation.
 */
export async function startGrantingIssuer(): Promise<GrantingIssuer> {
  const library = await loadProvider();
  const { Provider, errors } = library;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refuseResource = () => new errors.InvalidTarget('this resource is not known');
  const settings = providerSettings({
    users,
    resource: CALENDAR,
    fetch: undefined,
    refuseResource,
    prompts: promptsOfEachSignIn(library),
  });
  const self: GrantingIssuer = {
    issuer,
    requests: [],
    answer: 'token',
    gate: Promise.resolve(),
    life: 3_600,
    refreshes: () => self.requests.filter(({ fields }) => fields['grant_type'] === 'refresh_token').length,
    async register(redirect) {
      const response = await fetch(`${issuer}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'The desk',
          redirect_uris: [redirect],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_post',
        }),
      });
      const made = (await response.json()) as { client_id: string; client_secret: string };
      return { clientId: made.client_id, clientSecret: made.client_secret };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = await quietly(
    async () =>
      new Provider(issuer, {
        ...settings,
        ttl: { ...settings.ttl, AccessToken: () => self.life },
        features: {
          ...settings.features,
          resourceIndicators: {
            ...settings.features!.resourceIndicators,
            getResourceServerInfo: () => ({
              ...resourceServer(CALENDAR, SCOPES),
              accessTokenTTL: self.life,
            }),
          },
        },
      } as never),
  );
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/token')) return next();
    const fields: Record<string, string> = {};
    self.requests.push({ path: ctx.path, fields });
    await self.gate;
    if (self.answer === 'broken') return void Object.assign(ctx, { status: 503, body: 'secret words' });
    await next();
    Object.assign(fields, ctx.oidc?.body);
  });
  const answer = provider.callback();
  const signIn = signInPages(provider, users);
  server.on('request', (req, res) => {
    const { pathname } = new URL(req.url ?? '/', issuer);
    if (pathname.startsWith('/sign-in/')) return void signIn(req, res);
    // Each sign-in begins anew, so that the person can choose another user.
    if (pathname === '/auth') delete req.headers.cookie;
    void answer(req, res);
  });
  return self;
}
