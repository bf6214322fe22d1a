import type { OAuthResourceServerOptions } from '@toolwright/http';
import type { DevIssuer } from '../../src/dev.js';
import type { DiagnoseOptions } from '../../src/doctor.js';
import type { GuardedApp } from './guarded-app.js';

export interface Place {
  readonly app: GuardedApp;
  readonly issuer: DevIssuer;
  /** Where the answer of the issuer comes back to the client. */
  readonly redirect: string;
  /** Starts one more issuer. */
  anotherIssuer(resource: string): Promise<DevIssuer>;
}

/** What is between the doctor and the parties: it may change an answer. */
type Between = (
  place: Place,
  url: URL,
  init: RequestInit,
  pass: () => Promise<Response>,
) => Promise<Response>;

export interface Seed {
  /** What the issuer gives tokens for. Default: the endpoint. */
  readonly resource?: string;
  readonly server?: (
    place: Place,
  ) => Partial<OAuthResourceServerOptions> | Promise<Partial<OAuthResourceServerOptions>>;
  readonly between?: Between;
  readonly doctor?: (place: Place) => DiagnoseOptions | Promise<DiagnoseOptions>;
  readonly address?: (endpoint: string) => string;
  readonly lockedTools?: 'listed';
}

/** Changes answers whose path ends so. */
const at =
  (end: string, change: (response: Response, place: Place) => Response | Promise<Response>): Between =>
  async (place, { pathname }, _init, pass) => {
    const response = await pass();
    return pathname.endsWith(end) ? change(response, place) : response;
  };

const page = (status: number) =>
  new Response('<!doctype html><title>Attention required</title>', {
    status,
    headers: { 'content-type': 'text/html', 'cf-ray': '8f00' },
  });

const withJson = (changes: object) => async (response: Response) =>
  Response.json({ ...((await response.json()) as object), ...changes }, { status: response.status });

/** The issuer has its metadata in two places. */
const metadataOfIssuer =
  (changes: object): Between =>
  async (place, url, _init, pass) =>
    /oauth-authorization-server|openid-configuration/.test(url.pathname)
      ? withJson(changes)(await pass())
      : pass();

const backWith =
  (error: string, error_description: string): Between =>
  async (_place, url, _init, pass) => {
    if (!url.pathname.endsWith('/auth')) return pass();
    const back = new URL(url.searchParams.get('redirect_uri')!);
    back.search = new URLSearchParams({
      error,
      error_description,
      state: url.searchParams.get('state')!,
    }).toString();
    return new Response(null, { status: 302, headers: { location: back.href } });
  };

/** The header in the form that a server writes it in that knows only its path. */
const relative: Between = async (_place, _url, init, pass) => {
  const response = await pass();
  if (response.status !== 401) return response;
  const challenge = 'Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp"';
  return new Response('{}', { status: 401, headers: { 'www-authenticate': challenge } });
};

const withoutAuthorization: Between = (_place, url, init) => {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  return fetch(url, { ...init, headers });
};

const registered = async ({ issuer }: Place, redirect: string, scope?: string): Promise<DiagnoseOptions> => {
  const { registration_endpoint: endpoint } = (await (
    await fetch(`${issuer.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  ).json()) as { registration_endpoint: string };
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirect],
      ...(scope !== undefined && { scope }),
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  return { clientId: ((await answer.json()) as { client_id: string }).client_id };
};

/** One fault each, the step that has to be named, and whose fault it is. */
export const faults: readonly (readonly [
  name: string,
  step: string,
  responsible: string,
  code: string,
  seed: Seed,
])[] = [
  [
    'wrong path',
    'endpoint',
    'server',
    'endpoint-unknown',
    { between: at('/mcp', () => new Response('', { status: 404 })) },
  ],
  [
    'page of a CDN at the endpoint',
    'endpoint',
    'between',
    'endpoint-blocked',
    { between: at('/mcp', () => page(403)) },
  ],
  ['relative resource_metadata', 'metadata', 'server', 'metadata-relative', { between: relative }],
  [
    'page of a CDN for the metadata',
    'metadata',
    'between',
    'metadata-blocked',
    { between: at('/oauth-protected-resource/mcp', () => page(403)) },
  ],
  [
    'no metadata where the challenge says',
    'metadata',
    'server',
    'metadata-unreachable',
    { between: at('/oauth-protected-resource/mcp', () => new Response('', { status: 404 })) },
  ],
  [
    'wrong resource',
    'metadata',
    'server',
    'resource-wrong',
    { between: at('/oauth-protected-resource/mcp', withJson({ resource: 'https://internal.example/mcp' })) },
  ],
  [
    'no issuer in the metadata',
    'metadata',
    'server',
    'issuer-unnamed',
    { between: at('/oauth-protected-resource/mcp', withJson({ authorization_servers: [] })) },
  ],
  [
    'issuer that is not there',
    'discovery',
    'issuer',
    'issuer-unreachable',
    {
      between: at(
        '/oauth-protected-resource/mcp',
        withJson({ authorization_servers: ['http://127.0.0.1:9'] }),
      ),
    },
  ],
  [
    'issuer with another slash at its end',
    'discovery',
    'server',
    'issuer-differs',
    {
      between: async ({ issuer }, url, _init, pass) =>
        url.pathname.endsWith('/oauth-protected-resource/mcp')
          ? withJson({ authorization_servers: [`${issuer.issuer}/`] })(await pass())
          : pass(),
    },
  ],
  [
    'page of a CDN for the metadata of the issuer',
    'discovery',
    'between',
    'issuer-blocked',
    {
      between: async (_place, url, _init, pass) =>
        /oauth-authorization-server|openid-conf/.test(url.pathname) ? page(403) : pass(),
    },
  ],
  [
    'no PKCE',
    'discovery',
    'issuer',
    'pkce-unsupported',
    { between: metadataOfIssuer({ code_challenge_methods_supported: ['plain'] }) },
  ],
  [
    'no DCR',
    'registration',
    'issuer',
    'registration-missing',
    { between: metadataOfIssuer({ registration_endpoint: undefined }) },
  ],
  [
    'closed DCR',
    'registration',
    'issuer',
    'registration-closed',
    { between: at('/reg', () => Response.json({ error: 'access_denied' }, { status: 403 })) },
  ],
  [
    'redirect that is not registered',
    'authorize',
    'issuer',
    'redirect-unregistered',
    { doctor: (place) => registered(place, 'https://app.example/callback') },
  ],
  ['unknown client', 'authorize', 'client', 'client-unknown', { doctor: () => ({ clientId: 'nobody' }) }],
  [
    'scope that the client may not have',
    'authorize',
    'server',
    'scope-refused',
    {
      doctor: async (place) => ({
        ...(await registered(place, place.redirect, 'read')),
        scopes: ['read', 'write'],
      }),
    },
  ],
  [
    'resource that the issuer does not serve',
    'authorize',
    'issuer',
    'resource-refused',
    { resource: 'http://127.0.0.1:1/other' },
  ],
  [
    'AADSTS9010010',
    'authorize',
    'issuer',
    'resource-refused',
    {
      between: backWith(
        'invalid_request',
        'AADSTS9010010: The resource parameter does not match the scopes.',
      ),
    },
  ],
  [
    'person who does not consent',
    'authorize',
    'person',
    'person-refused',
    { between: backWith('access_denied', 'The person declined.') },
  ],
  [
    'page of a CDN for tokens',
    'token',
    'between',
    'token-blocked',
    { between: at('/token', () => page(403)) },
  ],
  [
    'code that another replica does not know',
    'token',
    'issuer',
    'code-refused',
    {
      between: (_place, url, init, pass) =>
        url.pathname.endsWith('/token')
          ? fetch(url, { ...init, body: String(init.body).replace(/code=[^&]+/, 'code=lost') })
          : pass(),
    },
  ],
  [
    'wrong audience',
    'call',
    'server',
    'token-audience',
    { server: () => ({ audience: 'https://api.example.com' }) },
  ],
  ['wrong clock', 'call', 'clock', 'token-clock', {}],
  [
    'rotated key',
    'call',
    'issuer',
    'token-key',
    {
      server: async ({ app, issuer, anotherIssuer }) => ({
        issuers: [
          {
            issuer: issuer.issuer,
            jwksUri: `${(await anotherIssuer(app.endpoint)).issuer.replace(/\/$/, '')}/jwks`,
          },
        ],
      }),
    },
  ],
  [
    'keys that the server cannot reach',
    'call',
    'server',
    'keys-unreachable',
    {
      server: ({ issuer }) => ({ issuers: [{ issuer: issuer.issuer, jwksUri: 'http://127.0.0.1:9/jwks' }] }),
    },
  ],
  ['proxy that drops the token', 'call', 'between', 'token-not-seen', { between: withoutAuthorization }],
  [
    'missing scope',
    'call',
    'server',
    'scope-missing',
    {
      server: () => ({ scopesSupported: ['read'] }),
      doctor: () => ({ tool: 'write_note' }),
      lockedTools: 'listed',
    },
  ],
  [
    'opaque token',
    'call',
    'issuer',
    'token-opaque',
    { between: at('/token', withJson({ access_token: 'opaque-token-of-the-issuer' })) },
  ],
  [
    'opaque token that the issuer does not know any more',
    'call',
    'issuer',
    'token-inactive',
    {
      server: ({ issuer: { issuer } }) => ({
        issuers: [{ issuer, introspection: { open: () => () => Promise.resolve(undefined) } }],
      }),
      between: at('/token', withJson({ access_token: 'opaque-token-of-the-issuer' })),
    },
  ],
];
