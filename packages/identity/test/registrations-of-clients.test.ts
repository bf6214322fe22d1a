import { startGuardedApp, type GuardedApp } from './support/guarded-app.js';
import { connectAs } from './support/oauth-client.js';
import { ProxyAtWork } from './support/open-proxy.js';
import { ProxyPerson } from './support/proxy-person.js';

let app: GuardedApp;
let proxy: ProxyAtWork;

beforeAll(async () => {
  // Jest hides from oidc-provider what its own fetch needs, and it says so.
  jest.spyOn(console, 'warn').mockImplementation();
  app = await startGuardedApp();
  proxy = await ProxyAtWork.start(app.endpoint, {
    redirects: [
      ...['http://127.0.0.1/*', 'http://localhost/*', 'http://[::1]/*', 'https://vscode.dev/redirect'],
      ...['https://claude.ai/*', 'https://chatgpt.com/*', 'https://agents.example/*'],
      ...['cursor://anysphere.cursor-mcp/*', 'claude://claude.ai/*', 'com.example.app:/callback'],
    ],
  });
  app.trust(proxy.issuer);
});

afterAll(async () => {
  jest.restoreAllMocks();
  await proxy.close();
  await app.close();
});

const code = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
const open = { ...code, token_endpoint_auth_method: 'none' };

/** What clients of these kinds send, in shape. Their addresses are those that they publish. */
const registrations: Record<string, Record<string, unknown>> = {
  'an editor with a scheme, a page and this computer, and no application_type': {
    ...open,
    client_name: 'Cursor',
    redirect_uris: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://agents.example/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
  },
  'an editor with six addresses, some of them not on the list, and the grant of devices': {
    ...open,
    client_name: 'Visual Studio Code',
    client_uri: 'https://code.visualstudio.com',
    grant_types: [...code.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: [
      ...['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect', 'http://127.0.0.1/'],
      ...['http://127.0.0.1:33418/', 'http://localhost/', 'http://localhost:33418/'],
    ],
    application_type: 'native',
  },
  'an agent on the command line': {
    ...open,
    client_name: 'Claude Code (demo)',
    redirect_uris: ['http://localhost:63658/callback'],
  },
  'an agent on the command line that is native': {
    ...open,
    redirect_uris: ['http://127.0.0.1:56679/'],
    application_type: 'native',
  },
  'an application of a desktop with a scheme': {
    ...open,
    client_name: 'Claude',
    redirect_uris: ['claude://claude.ai/mcp/auth_callback'],
    application_type: 'web',
  },
  'a page that chats, with a scope': {
    ...code,
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'claudeai read',
  },
  'a page that chats, with the scopes of OpenID': {
    ...open,
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    scope: 'openid profile email offline_access',
  },
  'a client in Go that knows no scope': {
    ...open,
    client_name: 'A client',
    redirect_uris: ['http://127.0.0.1:8085/oauth/callback'],
    scope: '',
  },
  'a client in Go that leaves nothing out': {
    ...{ client_name: '', client_uri: '', logo_uri: '', tos_uri: '', policy_uri: '', jwks_uri: '' },
    ...{ redirect_uris: ['http://localhost:8085/oauth/callback'], contacts: null, software_id: '' },
    ...{ token_endpoint_auth_method: '', grant_types: null, response_types: null, scope: null },
  },
  'a client that says only where it goes on': { redirect_uris: ['http://localhost/callback'] },
  'an inspector of servers': {
    ...open,
    client_name: 'MCP Inspector',
    client_uri: 'https://github.com/modelcontextprotocol/inspector',
    redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    scope: '',
  },
  'a bridge with the version of its software': {
    ...open,
    client_name: 'MCP CLI Proxy',
    client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
    redirect_uris: ['http://localhost:3334/oauth/callback'],
    ...{ software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d', software_version: '0.1.0' },
    scope: 'openid email profile',
  },
  'a service with pictures and contacts': {
    ...code,
    client_name: 'A service',
    redirect_uris: ['https://agents.example/oauth/callback'],
    token_endpoint_auth_method: 'client_secret_post',
    ...{ client_uri: 'https://agents.example', logo_uri: 'https://agents.example/logo.svg' },
    ...{ contacts: ['support'], software_id: 'agents', software_version: '2', scope: 'things:read' },
  },
  'a client that names the resource': {
    ...open,
    redirect_uris: ['http://127.0.0.1:1410/callback'],
    resource: 'http://127.0.0.1:3000/mcp',
  },
  'an application with the name of its domain as a scheme': {
    ...open,
    redirect_uris: ['com.example.app:/callback'],
  },
  'an old client with the implicit way': {
    redirect_uris: ['http://localhost:4000/cb'],
    grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
    response_types: ['code', 'token', 'id_token'],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  'a client with another algorithm for ID tokens': {
    ...open,
    redirect_uris: ['http://[::1]:5000/cb'],
    ...{ id_token_signed_response_alg: 'ES256', subject_type: 'pairwise', require_auth_time: true },
    ...{ default_max_age: 60, sector_identifier_uri: 'https://agents.example/sector.json' },
  },
};

const send = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${proxy.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test.each(Object.entries(registrations))('%s registers, and a person lets it in', async (_kind, body) => {
  const response = await send(body);
  const answer = (await response.json()) as { client_id: string; redirect_uris: string[]; scope?: string };
  expect({ status: response.status, ...answer }).toMatchObject({ status: 201 });
  expect(answer.redirect_uris.length).toBeGreaterThan(0);
  expect(answer).not.toHaveProperty('scope');
  for (const redirect of answer.redirect_uris) {
    const url = new URL(`${proxy.issuer}/oauth/authorize`);
    url.search = new URLSearchParams({
      ...{
        client_id: answer.client_id,
        response_type: 'code',
        redirect_uri: redirect,
        scope: 'read profile',
      },
      ...{
        resource: app.endpoint,
        state: 's',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      },
    }).toString();
    const { html } = await new ProxyPerson('ann').open(url);
    expect(html).toContain('Let this application in?');
  }
});

test('of several addresses, those that the list does not have are left out', async () => {
  const answer = (await (await send(registrations[Object.keys(registrations)[1]!])).json()) as object;
  expect(answer).toMatchObject({
    redirect_uris: [
      ...['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'],
      ...['http://localhost/', 'http://localhost:33418/'],
    ],
    grant_types: code.grant_types,
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['with no address on the list', { redirect_uris: ['https://evil.example/cb'] }, 'invalid_redirect_uri'],
  ['with a script as an address', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ['with the scheme of another', { redirect_uris: ['cursor://evil/oauth/callback'] }, 'invalid_redirect_uri'],
  ['without an address', {}, 'invalid_redirect_uri'],
  ['with texts for lists', { redirect_uris: 'http://localhost/cb' }, 'invalid'],
  [
    'for programs alone',
    { redirect_uris: ['http://localhost/cb'], grant_types: ['client_credentials'] },
    'invalid',
  ],
  [
    'that is long',
    { redirect_uris: ['http://localhost/cb'], jwks: { keys: ['x'.repeat(9_000)] } },
    'invalid',
  ],
])('a registration %s is refused', async (_what, body, error) => {
  const response = await send({ ...open, ...body });
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: string }).error).toContain(error.replace(/_redirect_uri$/, ''));
});

test('a page may register, and asks first whether it may', async () => {
  const asked = await fetch(`${proxy.issuer}/oauth/register`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:6274',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,mcp-protocol-version',
    },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-headers')).toMatch(/content-type.*mcp-protocol-version/i);
  const origin = 'http://localhost:6274';
  for (const body of [registrations['an inspector of servers'], { redirect_uris: [] }]) {
    const response = await send(body, { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

describe.each(['v1', 'v2'] as const)('The official client %s', (version) => {
  test.each([
    ['an origin', '', '/'],
    ['a path', '/mcp', '/mcp/'],
  ])('signs in at the proxy of an endpoint that is %s', async (_what, path, called) => {
    const guarded = await startGuardedApp();
    const { origin } = new URL(guarded.endpoint);
    const behind = await ProxyAtWork.start(origin + path);
    guarded.trust(behind.issuer, { resource: origin + path });
    const client = await connectAs(version, origin + called, new ProxyPerson('ann'));
    expect((await client.call('write_note')).text).toBe('write_note by ann');
    await client.close();
    await behind.close();
    await guarded.close();
  });
});
