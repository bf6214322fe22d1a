import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openAuthorizationProxy, type ProxyUser } from '../src/proxy.js';
import { startGuardedApp } from './support/guarded-app.js';
import { kinds, TENANT } from './support/issuer-tokens.js';
import { DOCUMENT, PROXY, startLifelike, type Habits } from './support/lifelike-issuer.js';
import { connectAs } from './support/oauth-client.js';
import { SECRET } from './support/open-proxy.js';
import { ProxyPerson } from './support/proxy-person.js';
import { quietProvider } from './support/quiet-provider.js';

// The last way of each recipe in docs/issuers.md: the official clients sign in at an authorization proxy, and people at a
// real authorization server that behaves like the issuer.

quietProvider();

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

interface Recipe {
  readonly habits: Habits;
  /** What the ID token says about a person who may write. */
  readonly person: Record<string, unknown>;
  /** Reads it, as the guide says. */
  readonly mayWrite: (claims: ProxyUser['claims']) => boolean;
  /** How the guide names the claim. */
  readonly claim: string;
}

const has = (list: unknown, one: string) => [list].flat().includes(one);
const closed = { registration: 'none', documents: false } as const;

const recipes: Record<string, Recipe> = {
  'Entra ID v2': {
    habits: { ...closed, resource: 'refused' },
    person: { roles: ['Writer'], tid: TENANT, oid: 'o-1' },
    mayWrite: ({ roles }) => has(roles, 'Writer'),
    claim: 'claims.roles',
  },
  Auth0: {
    habits: { registration: 'open', documents: false, resource: 'taken', isOpaque: true },
    person: { 'https://example.com/roles': ['writer'] },
    mayWrite: (claims) => has(claims['https://example.com/roles'], 'writer'),
    claim: "claims['https://example.com/roles']",
  },
  Keycloak: {
    habits: { registration: 'open', documents: true, resource: 'ignored' },
    person: { realm_access: { roles: ['writer'] }, typ: 'ID' },
    mayWrite: (claims) => has((claims['realm_access'] as { roles?: unknown }).roles, 'writer'),
    claim: 'claims.realm_access.roles',
  },
  Okta: {
    habits: { registration: 'with token', documents: false, resource: 'ignored' },
    person: { groups: ['writers'] },
    mayWrite: ({ groups }) => has(groups, 'writers'),
    claim: 'claims.groups',
  },
  Cognito: {
    habits: { ...closed, resource: 'taken' },
    person: { 'cognito:groups': ['writers'], token_use: 'id' },
    mayWrite: (claims) => has(claims['cognito:groups'], 'writers'),
    claim: "claims['cognito:groups']",
  },
  Google: {
    habits: { ...closed, resource: 'ignored', isOpaque: true },
    person: { hd: 'example.com', email: 'ann@example.com', email_verified: true },
    mayWrite: ({ hd }) => hd === 'example.com',
    claim: 'claims.hd',
  },
};

/** A server whose clients sign in at a proxy in front of the issuer. */
async function serveBehind(name: string, person: Recipe['person']) {
  const { habits, mayWrite } = recipes[name]!;
  const { claims, header = {} } = kinds[name]!;
  const front = createServer().listen(0, '127.0.0.1');
  await once(front, 'listening');
  const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const issuer = await startLifelike(String(claims['iss']), habits, {
    claims,
    header,
    idClaims: person,
    proxyCallback: `${origin}/oauth/callback`,
  });
  const app = await startGuardedApp();
  const proxy = await openAuthorizationProxy({
    issuer: origin,
    upstream: { issuer: String(claims['iss']), ...PROXY, fetch: issuer.fetch },
    resources: { [app.endpoint]: ['read', 'write'] },
    scopesOf: (user) => (mayWrite(user.claims) ? ['read', 'write'] : ['read']),
    secrets: [SECRET],
    fetch: () =>
      Promise.resolve(
        Response.json({
          client_id: DOCUMENT,
          client_name: 'App',
          redirect_uris: ['http://127.0.0.1:9/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        }),
      ),
  });
  front.on('request', (req, res) => proxy.handler(req, res));
  app.trust(proxy.issuer);
  toClose.push(async () => {
    front.closeAllConnections();
    front.close();
    await app.close();
    await issuer.close();
  });
  return (version: 'v1' | 'v2', options = {}) =>
    connectAs(version, app.endpoint, new ProxyPerson('ann', 'allow', issuer.person()), options);
}

describe.each(Object.entries(recipes))('the proxy in front of %s', (name, { person }) => {
  test('signs in the official clients: v1 registers, and v2 comes with its metadata document', async () => {
    const signIn = await serveBehind(name, person);
    for (const [version, options] of [['v1'], ['v2', { document: DOCUMENT }]] as const) {
      const client = await signIn(version, options);
      expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
      expect((await client.call('write_note')).text).toBe('write_note by ann');
      await client.close();
    }
  });
});

test('a person without the role of the recipe gets fewer scopes', async () => {
  const signIn = await serveBehind('Okta', { groups: ['Everyone'] });
  const client = await signIn('v2');
  expect(await client.names()).toEqual(['whoami', 'read_note']);
  await client.close();
});

test('the guide of the proxy names the issuer and the claim of each recipe', async () => {
  const guide = await readFile(`${__dirname}/../../../docs/authorization-proxy.md`, 'utf8');
  for (const [name, { claim }] of Object.entries(recipes)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| ${name.replace(' v2', '')} `));
    expect([name, row?.split('|')[3]!.trim()]).toEqual([name, `\`${claim}\``]);
  }
});
