import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration } from 'oidc-provider';
import { loadProvider, quietly } from '../../src/dev/load-provider.js';
import type { FetchDocument } from '../../src/index.js';
import { Person } from './person.js';
import type { Claims } from './issuer-tokens.js';

/** How an issuer differs from others, beyond the claims of its tokens. */
export interface Habits {
  /** How clients come to be known: by themselves, with a token of an administrator, or not at all. */
  readonly registration: 'open' | 'with token' | 'none';
  /** Whether it takes client metadata documents. */
  readonly documents: boolean;
  /** What it does with `resource`: Entra ID refuses it, others take it, or ignore it. */
  readonly resource: 'taken' | 'refused' | 'ignored';
  /** Without an audience, its access tokens are opaque. */
  readonly isOpaque?: boolean;
}

export interface Grown {
  readonly access_token: string;
  readonly id_token?: string;
}

/** A real authorization server under the name of another one, with its habits. */
export interface LifelikeIssuer {
  /** What a preset fetches with: the names of the issuer lead to this machine. */
  readonly fetch: FetchDocument;
  metadata(): Promise<Claims>;
  register(token?: string): Promise<{ status: number; clientId: string | undefined }>;
  /** A person whose browser finds the issuer under its name. */
  person(): Person;
  /** A person signs in with a code and PKCE. */
  signIn(clientId: string, parameters?: Record<string, string>): Promise<Grown | { error: string }>;
  /** A program gets a token for itself. */
  token(): Promise<string>;
  close(): Promise<void>;
}

const CALLBACK = 'http://127.0.0.1:9/callback';
export const DOCUMENT = 'https://client.example/metadata.json';
/** The client that an authorization proxy is here. */
export const PROXY = { clientId: 'the-proxy', clientSecret: 'the secret of the proxy' };
export const ADMIN_TOKEN = 'token-of-an-administrator';
const VERIFIER = 'a-verifier-of-the-tests-that-is-long-enough-for-pkce';

interface Signed {
  readonly claims: Claims;
  readonly header: Claims;
  readonly idClaims: Claims;
  /** Where the authorization proxy has people sent back to. */
  readonly proxyCallback?: string;
}

export async function startLifelike(issuer: string, habits: Habits, token: Signed): Promise<LifelikeIssuer> {
  const { Provider, errors } = await loadProvider();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'own' };
  const API = 'urn:the:api';
  const known = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const configuration = {
    jwks: { keys: [key] },
    cookies: { keys: ['secret of the cookies'] },
    clients: [
      { client_id: 'known-app', ...known },
      ...(token.proxyCallback === undefined
        ? []
        : [
            {
              client_id: PROXY.clientId,
              client_secret: PROXY.clientSecret,
              redirect_uris: [token.proxyCallback],
            },
          ]),
      {
        client_id: 'program',
        client_secret: 'secret of the program',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    scopes: ['openid', 'read', 'write'],
    conformIdTokenClaims: false,
    claims: { openid: ['sub', ...Object.keys(token.idClaims)] },
    findAccount: (_ctx: unknown, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...token.idClaims }),
    }),
    renderError: (ctx: { body: unknown }, out: object) => void (ctx.body = out),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      ClientCredentials: 600,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    formats: {
      customizers: {
        jwt: (_ctx: unknown, _token: unknown, parts: { header: Claims; payload: Claims }) => {
          // An issuer that names no audience by itself names the resource that the client has asked for.
          const { iat, exp, jti, aud } = parts.payload;
          parts.payload = { iat, exp, jti, aud, ...token.claims };
          parts.header = { ...parts.header, typ: 'JWT', ...token.header };
          for (const part of [parts.header, parts.payload])
            for (const name of Object.keys(part)) if (part[name] === undefined) delete part[name];
          return parts;
        },
      },
    },
    fetch: () =>
      Promise.resolve(
        Response.json({
          client_id: DOCUMENT,
          client_name: 'App',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          ...known,
        }),
      ),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: {
        enabled: habits.registration !== 'none',
        ...(habits.registration === 'with token' && { initialAccessToken: ADMIN_TOKEN }),
      },
      ...(habits.documents && { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } }),
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx: unknown, _client: unknown, oneOf?: string) =>
          oneOf ?? (habits.isOpaque ? undefined : API),
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, asked: string) => {
          if (habits.resource === 'refused' && asked !== API)
            throw new errors.InvalidTarget('AADSTS9010010: the resource does not match the scopes');
          return { scope: 'read write', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } };
        },
      },
    },
  };
  const provider = await quietly(async () => new Provider(issuer, configuration as unknown as Configuration));
  // The browser and the proxy name the issuer as people do, and no name leads away from this machine.
  provider.proxy = true;
  const { host } = new URL(issuer);
  const underItsName = (asked: URL, init?: RequestInit) => {
    const own = ['/auth', '/token', '/sign-in'].some((path) => asked.pathname.startsWith(path));
    const path = asked.pathname.includes('/.well-known/') ? '/.well-known/openid-configuration' : '/jwks';
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-host', host);
    headers.set('x-forwarded-proto', 'https');
    return fetch(at + (own ? asked.pathname + asked.search : path), { ...init, headers });
  };
  let rounds = 0;
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/sign-in/')) return next();
    const { params, grantId } = await provider.interactionDetails(ctx.req, ctx.res);
    if ((rounds += 1) > 4) throw new Error('The sign-in goes round in circles.');
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: 'ann', clientId: String(params['client_id']) });
    grant.addOIDCScope('openid read write');
    for (const resource of [params['resource'] ?? API].flat())
      grant.addResourceScope(String(resource), 'read write');
    const result = { login: { accountId: 'ann' }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(ctx.req, ctx.res, result);
    ctx.respond = false;
  });
  const answer = provider.callback();
  server.on('request', (req, res) => void answer(req, res));

  const post = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(at + path, { method: 'POST', body: new URLSearchParams(fields) });
    return (await response.json()) as Grown & { error: string };
  };
  return {
    fetch: async (url, init) => underItsName(new URL(url), init),
    person: () =>
      new Person('ann', async (input, init) => underItsName(new URL(input as string | URL), init)),
    metadata: async () => (await fetch(`${at}/.well-known/openid-configuration`)).json() as Promise<Claims>,
    async register(adminToken) {
      const response = await fetch(`${at}/reg`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
        },
        body: JSON.stringify({ client_name: 'App', ...known }),
      });
      const { client_id: clientId } = (await response.json().catch(() => ({}))) as { client_id?: string };
      return { status: response.status, clientId };
    },
    async signIn(clientId, parameters = {}) {
      const url = new URL(`${at}/auth`);
      const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
      const asked = {
        client_id: clientId,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid read write',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 's',
        ...parameters,
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      const { at: back } = await new Person('ann').open(url);
      const code = back.searchParams.get('code');
      if (code === null) return { error: String(back.searchParams.get('error')) };
      return post('/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: CALLBACK,
        client_id: clientId,
        code_verifier: VERIFIER,
      });
    },
    async token() {
      const fields = { client_id: 'program', client_secret: 'secret of the program' };
      return (await post('/token', { grant_type: 'client_credentials', scope: 'read', ...fields }))
        .access_token;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
