import { createHash } from 'node:crypto';
import { registrations } from './fixtures/registrations-of-clients.js';
import { startGuardedApp, type GuardedApp } from './support/guarded-app.js';
import { connectAs } from './support/oauth-client.js';
import { ProxyAtWork } from './support/open-proxy.js';
import { ProxyPerson } from './support/proxy-person.js';
import { quietProvider } from './support/quiet-provider.js';

let app: GuardedApp;
let proxy: ProxyAtWork;

quietProvider();
beforeAll(async () => {
  app = await startGuardedApp();
  proxy = await ProxyAtWork.start(app.endpoint, {
    redirects: [
      ...['http://127.0.0.1/*', 'http://localhost/*', 'http://[::1]/*', 'https://vscode.dev/redirect'],
      ...['https://claude.ai/*', 'https://chatgpt.com/*', 'https://agents.example/*'],
      ...['https://www.cursor.com/agents/*', 'https://chat.example/*', 'https://flows.example/*'],
      ...['cursor://anysphere.cursor-mcp/*', 'claude://claude.ai/*', 'com.example.app:/callback'],
      ...['vscode://saoudrizwan.claude-dev/*', 'systemprompt://oauth/callback'],
    ],
  });
  app.trust(proxy.issuer);
});

afterAll(async () => {
  await proxy.close();
  await app.close();
});

const open = { response_types: ['code'], token_endpoint_auth_method: 'none' };

/** What no client was seen to send, and every client may. */
const others: Record<string, Record<string, unknown>> = {
  'leaves nothing out': {
    ...{ client_name: '', client_uri: '', logo_uri: '', tos_uri: '', policy_uri: '', jwks_uri: '' },
    ...{ redirect_uris: ['http://localhost:8085/oauth/callback'], contacts: null, software_id: '' },
    ...{ token_endpoint_auth_method: '', grant_types: null, response_types: null, scope: null },
  },
  'has pictures and contacts': {
    ...{ client_name: 'A service', redirect_uris: ['https://agents.example/oauth/callback'] },
    ...{ token_endpoint_auth_method: 'client_secret_post', scope: 'things:read' },
    ...{ client_uri: 'https://agents.example', logo_uri: 'https://agents.example/logo.svg' },
    ...{ contacts: ['support'], software_id: 'agents', software_version: '2' },
  },
  'names the resource': {
    ...open,
    redirect_uris: ['http://127.0.0.1:1410/callback'],
    resource: 'http://127.0.0.1:3000/mcp',
  },
  'has the name of its domain as a scheme': { ...open, redirect_uris: ['com.example.app:/callback'] },
  'says that it is for the web, and has a scheme': {
    ...open,
    redirect_uris: ['claude://claude.ai/mcp/auth_callback'],
    application_type: 'web',
  },
  'knows the implicit way': {
    redirect_uris: ['http://localhost:4000/cb'],
    grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
    response_types: ['code', 'token', 'id_token'],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  'has another algorithm for ID tokens': {
    ...open,
    redirect_uris: ['http://[::1]:5000/cb'],
    id_token_signed_response_alg: 'ES256',
    subject_type: 'pairwise',
    require_auth_time: true,
    default_max_age: 60,
    sector_identifier_uri: 'https://agents.example/sector.json',
  },
};

const send = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${proxy.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly token_endpoint_auth_method: string;
}

const VERIFIER = 'v'.repeat(43);

function signInAddress({ client_id }: Registered, redirect: string): URL {
  const url = new URL(`${proxy.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    ...{ client_id, response_type: 'code', redirect_uri: redirect, scope: 'read profile' },
    ...{ resource: app.endpoint, code_challenge_method: 'S256' },
    // A client that has its state in its address sends no other one.
    ...(!redirect.includes('state=') && { state: 's' }),
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  }).toString();
  return url;
}

/** Asks for a token in the way that the client has registered for. */
async function askForToken(
  client: Registered,
  form: Record<string, string>,
): Promise<Record<string, string>> {
  const { client_id, client_secret = '', token_endpoint_auth_method: method } = client;
  const isBasic = method === 'client_secret_basic';
  const credentials = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`);
  const response = await fetch(`${proxy.issuer}/oauth/token`, {
    method: 'POST',
    ...(isBasic && { headers: { authorization: `Basic ${credentials.toString('base64')}` } }),
    body: new URLSearchParams({
      ...form,
      ...(!isBasic && { client_id }),
      ...(method === 'client_secret_post' && { client_secret }),
    }),
  });
  return (await response.json()) as Record<string, string>;
}

const seenAndOthers = [
  ...Object.entries(registrations).map(([kind, { body }]) => [kind, body] as const),
  ...Object.entries(others).map(([kind, body]) => [`a client that ${kind}`, body] as const),
];

test.each(seenAndOthers)('%s registers, a person lets it in, and it gets tokens', async (_kind, body) => {
  const response = await send(body);
  const answer = (await response.json()) as Registered;
  expect({ status: response.status, ...answer }).toMatchObject({ status: 201 });
  expect(answer).not.toHaveProperty('scope');
  for (const redirect of answer.redirect_uris) {
    const { html } = await new ProxyPerson('ann').open(signInAddress(answer, redirect));
    expect(html).toContain('Let this application in?');
  }
  const redirect_uri = answer.redirect_uris[0]!;
  const back = await new ProxyPerson('ann').signIn(signInAddress(answer, redirect_uri));
  expect(back.href.startsWith(redirect_uri)).toBe(true);
  const granted = await askForToken(answer, {
    ...{ grant_type: 'authorization_code', code: back.searchParams.get('code')!, redirect_uri },
    ...{ code_verifier: VERIFIER, resource: app.endpoint },
  });
  expect(granted).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  if (!answer.grant_types.includes('refresh_token')) return;
  const refreshed = await askForToken(answer, {
    grant_type: 'refresh_token',
    refresh_token: granted['refresh_token']!,
  });
  expect(refreshed).toMatchObject({ token_type: 'Bearer', scope: 'read' });
});

test('each registration of a client says where it was seen', () => {
  expect(Object.keys(registrations).length).toBeGreaterThanOrEqual(25);
  const repository = /^[\w.-]+\/[\w.-]+(?:#\d+|: [\w./-]+)/;
  for (const { seen } of Object.values(registrations))
    for (const place of seen.split('; ')) expect(place).toMatch(repository);
});

test('of several addresses, those that the list does not have are left out', async () => {
  const answer = (await (
    await send(registrations['Visual Studio Code, with the grant of devices']!.body)
  ).json()) as object;
  expect(answer).toMatchObject({
    redirect_uris: [...['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/']],
    grant_types: ['authorization_code', 'refresh_token'],
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
  for (const body of [registrations['MCP Inspector, with an empty scope']!.body, { redirect_uris: [] }]) {
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
