import { createMcpServer, RequireScopes } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import {
  type Authentication,
  mcpFetch,
  oauthResourceServer,
  type OAuthResourceServerOptions,
  type TrustedIssuer,
} from '../src/index.js';
import { json, LocalIssuer } from './support/local-issuer.js';

const resource = 'https://api.example.com/mcp';
const started = closedAfterEach<LocalIssuer>();
const start = async () => {
  const issuer = await LocalIssuer.start();
  started.push(issuer);
  return issuer;
};

const trust = (issuer: LocalIssuer, rules: Partial<TrustedIssuer> = {}): TrustedIssuer => ({
  issuer: issuer.issuer,
  jwksUri: `${issuer.origin}/jwks`,
  ...rules,
});
function guard(
  issuers: readonly (string | TrustedIssuer)[],
  options: Partial<OAuthResourceServerOptions> = {},
) {
  const { authenticate } = oauthResourceServer({ resource, issuers, ...options });
  return async (token: string): Promise<Authentication> =>
    authenticate(new Request(resource, { headers: { authorization: `Bearer ${token}` } }));
}
const verdict = (outcome: Authentication) =>
  'challenge' in outcome ? outcome.challenge.reason : outcome.principal;

test('each issuer has its own audience, clients and types', async () => {
  const [one, two, three] = [await start(), await start(), await start()];
  const check = guard([
    trust(one, { audience: 'api://one' }),
    trust(two, { audience: ['api://two', 'api://more'], requireAtJwt: true }),
    trust(three, { clientIds: ['app'] }),
  ]);
  const ask = async (issuer: LocalIssuer, claims: object, typ = 'JWT') =>
    typeof verdict(await check(await issuer.token({ ...claims }, { typ })));

  expect(await ask(one, { aud: 'api://one' })).toBe('object');
  expect(verdict(await check(await one.token({ aud: 'api://two' })))).toBe('audience');
  expect(verdict(await check(await one.token({ aud: resource })))).toBe('audience');
  expect(await ask(two, { aud: 'api://more' }, 'at+jwt')).toBe('object');
  expect(verdict(await check(await two.token({ aud: 'api://more' })))).toBe('type');
  expect(await ask(three, { client_id: 'app', token_use: 'access' })).toBe('object');
  expect(verdict(await check(await one.token({ client_id: 'app', token_use: 'access' })))).toBe('audience');
});

test('a key of one issuer signs for no other', async () => {
  const [one, two] = [await start(), await start()];
  const check = guard([trust(one), trust(two)]);
  expect(verdict(await check(await one.token({ aud: resource, iss: two.issuer })))).toBe('signature');
});

test('a function reads the caller from the claims', async () => {
  const issuer = await start();
  const check = guard([
    trust(issuer, {
      principal: ({ uid, roles }) => ({ subject: `user ${String(uid)}`, scopes: roles as string[] }),
    }),
  ]);
  const token = await issuer.token({ aud: resource, sub: undefined, uid: 7, roles: ['a'], client_id: 'c' });
  expect(verdict(await check(token))).toMatchObject({
    issuer: issuer.issuer,
    subject: 'user 7',
    clientId: 'c',
    scopes: ['a'],
    claims: { uid: 7 },
  });
  const nobody = guard([trust(issuer, { principal: () => ({ subject: '' }) })]);
  expect(verdict(await nobody(token))).toBe('subject');
});

test('a function that fails lets nobody in, and its error reaches the log of the endpoint', async () => {
  const issuer = await start();
  const principal = () => {
    throw new Error('of the application');
  };
  const check = guard([trust(issuer, { principal })]);
  await expect(check(await issuer.token({ aud: resource }))).rejects.toThrow('of the application');
});

test('the positive mark of an issuer decides, and what is marked as another kind stays refused', async () => {
  const issuer = await start();
  const check = guard([trust(issuer, { isAccessToken: ({ purpose }) => purpose === 'access' })]);
  const ask = async (claims: object) =>
    verdict(await check(await issuer.token({ aud: resource, ...claims })));
  expect(await ask({ purpose: 'access' })).toMatchObject({ subject: 'ann' });
  expect(await ask({})).toBe('type');
  expect(await ask({ purpose: 'access', nonce: 'n' })).toBe('type');
});

test.each([
  [{}, 'type'],
  [{ roles: ['Admin'], azp: 'app' }, 'type'],
  [{ scp: 'read' }, 'object'],
  [{ azpacr: '1', roles: ['Admin'] }, 'object'],
])('where the audience is an app, a token with %j is: %s', async (claims, expected) => {
  const issuer = await start();
  const check = guard([trust(issuer, { audience: 'app-id' })]);
  const outcome = verdict(await check(await issuer.token({ aud: 'app-id', ...claims })));
  expect(typeof outcome === 'object' ? 'object' : outcome).toBe(expected);
});

describe('an issuer with many tenants', () => {
  const isIssuer: TrustedIssuer['isIssuer'] = (iss, { tid }) =>
    ['a', 'b'].includes(String(tid)) && iss === `https://login.example/${String(tid)}/v2.0`;
  const isKeyFor: TrustedIssuer['isKeyFor'] = ({ issuer }, { tid, iss }) =>
    String(issuer).replace('{tenantid}', String(tid)) === iss;
  const of = (tid: string) => ({ aud: resource, tid, iss: `https://login.example/${tid}/v2.0` });

  test('is trusted for the tenants that its function names', async () => {
    const issuer = await start();
    const check = guard([trust(issuer, { issuer: 'https://login.example/organizations/v2.0', isIssuer })]);
    const ask = async (claims: object) => verdict(await check(await issuer.token({ ...claims })));
    expect(await ask(of('a'))).toMatchObject({ issuer: 'https://login.example/a/v2.0', subject: 'ann' });
    expect(await ask(of('c'))).toBe('issuer');
    expect(await ask({ ...of('a'), tid: 'b' })).toBe('issuer');
    expect(await ask({ ...of('a'), iss: 'https://login.example/organizations/v2.0' })).toBe('issuer');
    expect(await ask({ ...of('a'), iss: ['https://login.example/a/v2.0'] })).toBe('issuer');
  });

  test('may have keys that sign for one tenant only', async () => {
    const issuer = await start();
    const shared = { issuer: 'https://login.example/organizations/v2.0', isIssuer, isKeyFor };
    const check = guard([trust(issuer, shared)]);
    const publish = async (issuerOfKey: unknown) => {
      issuer.keyMembers = { issuer: issuerOfKey };
      await issuer.rotate(`key of ${String(issuerOfKey)}`);
      return verdict(await check(await issuer.token(of('a'))));
    };
    expect(await publish('https://login.example/{tenantid}/v2.0')).toMatchObject({ subject: 'ann' });
    expect(await publish('https://login.example/b/v2.0')).toBe('issuer');
    expect(await publish('https://login.example/a/v2.0')).toMatchObject({ subject: 'ann' });
  });
});

test('documents of an issuer are fetched by its own fetch', async () => {
  const issuer = await start();
  issuer.pages.set('/.well-known/oauth-authorization-server', json(issuer.metadata));
  const asked: string[] = [];
  const own = (url: string, init: RequestInit) => {
    asked.push(new URL(url).pathname);
    return fetch(url, init);
  };
  const check = guard([{ issuer: issuer.issuer, fetch: own }]);
  expect(verdict(await check(await issuer.token({ aud: resource })))).toMatchObject({ subject: 'ann' });
  expect(asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
});

describe('plain http', () => {
  const issuer = 'http://keycloak.identity.svc:8080/realms/shop';
  /** Answers for the host of the cluster. */
  const answering = (jwks_uri: string, asked: string[]) => async (url: string) => {
    asked.push(url);
    return Response.json({ issuer, jwks_uri, keys: [] });
  };

  test('to an issuer in a cluster needs permission', () => {
    expect(() => guard([issuer])).toThrow(/oauth\.issuers: expected an https URL/);
    expect(() => guard([{ issuer }])).toThrow(/oauth\.issuers: expected an https URL/);
    expect(() => guard([{ issuer, plainHttp: true }])).not.toThrow();
  });

  test.each([
    ['http://keycloak.identity.svc:8080/keys', 2],
    ['http://elsewhere.example/keys', 4],
  ])('is for the host that was named: %s', async (jwksUri, requests) => {
    const asked: string[] = [];
    const check = guard([{ issuer, plainHttp: true, fetch: answering(jwksUri, asked) }]);
    const local = await start();
    await check(await local.token({ aud: resource, iss: issuer }));
    expect(new Set(asked).size).toBe(requests);
    expect(asked).not.toContain('http://elsewhere.example/keys');
  });
});

describe('a prefix of scopes', () => {
  const options = { scopePrefix: 'api://app/', scopesSupported: ['read', 'openid'] };

  test('is taken off the scopes of a token', async () => {
    const issuer = await start();
    const check = guard([trust(issuer)], { ...options, impliedScopes: { write: ['read'] } });
    const scopes = async (scope: string) =>
      (verdict(await check(await issuer.token({ aud: resource, scope }))) as { scopes: readonly string[] })
        .scopes;
    expect(await scopes('api://app/write')).toEqual(['write', 'read']);
    expect(await scopes('write')).toEqual(['write', 'read']);
    expect(await scopes('api://app/ api://other/write')).toEqual(['api://app/', 'api://other/write']);
  });

  test('stands in metadata and challenges', async () => {
    const issuer = await start();
    const server = await createMcpServer({
      name: 'prefixed',
      version: '1',
      services: [],
      logger: silentLogger,
    });
    const policies = [RequireScopes.entry('write')];
    server.tools.add({ name: 'write', description: 'Writes.', policies, handler: () => 'done' });
    const oauth = oauthResourceServer({ resource, issuers: [trust(issuer)], ...options });
    const endpoint = mcpFetch(server, { oauth, allowedHosts: ['api.example.com'] });
    const call = (authorization?: string) =>
      endpoint(
        new Request(resource, {
          method: 'POST',
          headers: {
            host: 'api.example.com',
            'content-type': 'application/json',
            accept: 'application/json',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'write',
            ...(authorization && { authorization }),
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: {
              name: 'write',
              arguments: {},
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          }),
        }),
      );
    const metadata = await (await oauth.metadataResponse(new Request(oauth.metadataUrl)))!.json();
    expect(metadata).toMatchObject({ scopes_supported: ['api://app/read', 'openid'] });
    const missing = await call();
    expect(missing.headers.get('www-authenticate')).toContain('scope="api://app/read openid"');
    const locked = await call(`Bearer ${await issuer.token({ aud: resource, scope: 'read' })}`);
    expect(locked.status).toBe(403);
    expect(locked.headers.get('www-authenticate')).toContain('scope="api://app/write"');
    await server.close();
  });
});

test.each<[string, Partial<OAuthResourceServerOptions>, RegExp]>([
  [
    'an issuer that is named twice',
    { issuers: ['https://a.example', { issuer: 'https://a.example' }] },
    /twice/,
  ],
  [
    'an empty audience of an issuer',
    { issuers: [{ issuer: 'https://a.example', audience: [] }] },
    /is empty/,
  ],
  [
    'a prefix with a blank',
    { scopePrefix: 'api://a b/' },
    /oauth\.scopePrefix: "api:\/\/a b\/" is not a scope/,
  ],
])('%s is refused when the server is set up', (_what, options, message) => {
  expect(() => oauthResourceServer({ resource, issuers: ['https://a.example'], ...options })).toThrow(
    message,
  );
});
