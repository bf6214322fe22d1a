import { ConfigurationError } from '@toolwright/core';
import { openAuthorizationProxy } from '../src/proxy.js';
import { ProxyAtWork, register, SECRET } from './support/open-proxy.js';
import { ProxyPerson } from './support/proxy-person.js';
import { quietProvider } from './support/quiet-provider.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const CALLBACK = 'http://127.0.0.1:7777/callback';

let proxy: ProxyAtWork;
const warnings: unknown[][] = [];
const logger = {
  debug() {},
  info() {},
  warn: (...args: unknown[]) => void warnings.push(args),
  error: (...args: unknown[]) => void warnings.push(args),
};

quietProvider();
beforeAll(async () => {
  proxy = await ProxyAtWork.start(RESOURCE, { logger: logger as never });
});

afterAll(async () => {
  await proxy.close();
});

test.each([
  ['https://*.example.com/cb', 'a "*" can only be its last character'],
  ['https://apps.example.org/*/cb', 'a "*" can only be its last character'],
  ['cursor://*', 'before the "*" must be the scheme, the whole host and a slash'],
  ['cursor:*', 'before the "*" must be'],
  ['https://claude.ai*', 'before the "*" must be'],
  ['https://claude.ai:*', 'before the "*" must be'],
  ['https://*', 'before the "*" must be'],
  ['*', 'before the "*" must be'],
  ['https://a.example/cb?*', 'before the "*" must be'],
  ['http://localhost:*', 'any port of this computer counts. Write "http://localhost/*"'],
  ['http://127.0.0.1:*/callback', 'any port of this computer counts. Write "http://127.0.0.1/*"'],
  ['claude.ai/callback', 'it is no URL'],
  ['', 'it is no URL'],
  ['https://a.example/cb#done', 'nobody is sent to an address with a fragment'],
  ['https://me@a.example/cb', 'nobody is sent to'],
])('The pattern %j, which could match nothing, is a problem that names it', async (pattern, why) => {
  const opened = openAuthorizationProxy({
    issuer: 'https://mcp.example.com',
    upstream: { issuer: 'https://login.example.com', clientId: 'proxy' },
    resources: { 'https://mcp.example.com/mcp': [] },
    scopesOf: () => [],
    secrets: [SECRET],
    redirects: ['http://localhost/*', pattern],
  });
  await expect(opened).rejects.toThrow(ConfigurationError);
  await expect(opened).rejects.toThrow(`"redirects[1]" is ${JSON.stringify(pattern)}: ${why}`);
});

test('A refused registration hears which address is not listed, and the log says it too', async () => {
  const address = 'https://evil.example/cb';
  const refused = register(proxy.issuer, address, '/oauth/register');
  await expect(refused).rejects.toThrow(`this server sends nobody to ${address}: its option redirects`);
  expect(warnings).toContainEqual([{ address }, expect.stringContaining('was not registered')]);
});

async function requestOf(scope: string | undefined): Promise<URL> {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  const url = new URL(`${proxy.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: CALLBACK,
    resource: RESOURCE,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
    ...(scope !== undefined && { scope }),
  }).toString();
  return url;
}

/** What a client hears after a sign-in. */
async function signIn(user: string, scope: string | undefined): Promise<Record<string, string>> {
  const back = await new ProxyPerson(user).signIn(await requestOf(scope));
  return Object.fromEntries(back.searchParams);
}

test.each(['claudeai', 'user', 'openid2 profile'])(
  'A client that asks only for %s hears that no scope is known, before anybody signs in',
  async (scope) => {
    const { at } = await new ProxyPerson('ann').open(await requestOf(scope));
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining('knows none of the scopes'),
    });
  },
);

test('A client hears that the person may have none of the scopes', async () => {
  expect(await signIn('ben', 'write')).toMatchObject({
    error: 'access_denied',
    error_description: 'The person may have none of the scopes that the client asks for.',
  });
});

test.each([['read claudeai'], ['openid'], [''], [undefined], ['openid write']])(
  'A client that asks for %j comes back with a code',
  async (scope) => {
    expect(await signIn('ben', scope)).toMatchObject({ code: expect.any(String) });
  },
);
