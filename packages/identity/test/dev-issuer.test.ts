import { DevIssuerError, startDevIssuer, type DevIssuer } from '../src/dev.js';
import { startGuardedApp, type GuardedApp } from './support/guarded-app.js';
import { connectAs } from './support/oauth-client.js';
import { Person } from './support/person.js';

let app: GuardedApp;
let issuer: DevIssuer;

beforeAll(async () => {
  app = await startGuardedApp();
  issuer = await startDevIssuer({ resource: app.endpoint });
  app.trust(issuer.issuer);
});

afterAll(async () => {
  await app.close();
  await issuer.close();
});

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

describe.each(['v1', 'v2'] as const)('the official client %s', (version) => {
  test.each([
    ['ann', ['whoami', 'read_note', 'write_note']],
    ['ben', ['whoami', 'read_note']],
    ['cleo', ['whoami']],
  ])('signs in as %s, and sees what this user may call', async (user, names) => {
    const signedIn = await connectAs(version, app.endpoint, user);
    expect(await signedIn.names()).toEqual(names);
    expect(await signedIn.call('whoami')).toEqual({ text: `whoami by ${user}` });
    const [asked] = signedIn.keeper.visited;
    expect(asked!.searchParams.get('code_challenge_method')).toBe('S256');
    expect(claimsOf(signedIn.keeper.tokens_!.access_token)).toMatchObject({
      iss: issuer.issuer,
      aud: app.endpoint,
      sub: user,
    });
    await signedIn.close();
  });
});

test('a person may choose another user at the next sign-in', async () => {
  const person = new Person('ann');
  const registration = await register();
  const url = authorizeUrl(registration.client_id);
  expect((await person.signIn(url)).searchParams.has('code')).toBe(true);
  const { html } = await person.open(url);
  expect(html).toContain('Sign in as a test user');
});

test('a person who does not sign in sends the client back with the reason', async () => {
  const { client_id } = await register();
  const back = await new Person('').signIn(authorizeUrl(client_id));
  expect(back.searchParams.get('error')).toBe('access_denied');
});

test('a request without PKCE is refused', async () => {
  const { client_id } = await register();
  const url = authorizeUrl(client_id);
  url.searchParams.delete('code_challenge');
  url.searchParams.delete('code_challenge_method');
  const { at } = await new Person('ann').open(url);
  expect(at.searchParams.get('error')).toBe('invalid_request');
});

test('a resource that is not the app gets no token', async () => {
  const { client_id } = await register();
  const url = authorizeUrl(client_id);
  url.searchParams.set('resource', 'https://mcp.example.com/mcp');
  const back = await new Person('ann').signIn(url);
  expect(back.searchParams.get('error')).toBe('invalid_target');
});

test('a program gets a token of a test user without a page, with no more than its scopes', async () => {
  expect(claimsOf(await issuer.token('ben'))).toMatchObject({ sub: 'ben', scope: 'read', aud: app.endpoint });
  expect(claimsOf(await issuer.token('ann', { scopes: ['write', 'admin'] }))).toMatchObject({
    scope: 'write',
  });
  await expect(issuer.token('zoe')).rejects.toThrow(/no test user "zoe"\. There are: ann, ben, cleo/);
  await expect(issuer.token('ann', { resource: 'https://mcp.example.com/mcp' })).rejects.toThrow(
    /gives tokens for/,
  );
});

test('a page that points its own host name at this machine gets nothing', async () => {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(issuer.issuer);
  const status = await new Promise((resolve) => {
    const headers = { host: `rebound.example:${port}` };
    request({ hostname, port, path: '/.well-known/oauth-authorization-server', headers }, (res) => {
      res.resume();
      resolve(res.statusCode);
    }).end();
  });
  expect(status).toBe(403);
});

test('without a resource of its own, it serves every endpoint on this machine and no other', async () => {
  const any = await startDevIssuer();
  try {
    for (const resource of ['http://127.0.0.1:1/mcp', 'http://localhost:2/mcp'])
      expect(claimsOf(await any.token('ann', { resource }))).toMatchObject({ aud: resource });
    await expect(any.token('ann', { resource: 'https://example.com/mcp' })).rejects.toThrow(DevIssuerError);
    await expect(any.token('ann')).rejects.toThrow(/Name one resource/);
  } finally {
    await any.close();
  }
});

test('it does not start in production, and says what to do', async () => {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await expect(startDevIssuer()).rejects.toMatchObject({
      code: 'TW_DEV_ISSUER_IN_PRODUCTION',
      message: expect.stringContaining('Use a real authorization server'),
    });
  } finally {
    process.env['NODE_ENV'] = before;
  }
});

test.each([
  ['no user', []],
  ['a user without scopes', [{ subject: 'ann' }]],
  [
    'two of one subject',
    [
      { subject: 'ann', scopes: [] },
      { subject: 'ann', scopes: [] },
    ],
  ],
  ['a scope with a blank', [{ subject: 'ann', scopes: ['read write'] }]],
  ['a subject with a blank', [{ subject: 'a b', scopes: [] }]],
  ['claims that are a text', [{ subject: 'ann', scopes: [], claims: 'org' }]],
  ['a claim of the issuer itself', [{ subject: 'ann', scopes: [], claims: { sub: 'ben' } }]],
])('%s is refused when it starts', async (_what, users) => {
  await expect(startDevIssuer({ users: users as never })).rejects.toMatchObject({
    code: 'TW_DEV_ISSUER_OPTIONS',
  });
});

test('a port that is taken is told with its number', async () => {
  const port = Number(new URL(issuer.issuer).port);
  await expect(startDevIssuer({ port })).rejects.toThrow(`127.0.0.1:${port}: EADDRINUSE`);
});

async function register(): Promise<{ client_id: string }> {
  const response = await fetch(`${issuer.issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: '<b>Mallory</b>',
      redirect_uris: ['http://127.0.0.1:9/callback'],
      token_endpoint_auth_method: 'none',
    }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { client_id: string };
}

function authorizeUrl(client: string): URL {
  const url = new URL(`${issuer.issuer}/auth`);
  const params = {
    client_id: client,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:9/callback',
    scope: 'read write',
    resource: app.endpoint,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}
