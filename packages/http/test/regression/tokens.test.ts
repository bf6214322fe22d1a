import type { IncomingMessage } from 'node:http';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import {
  oauthResourceServer,
  type Authentication,
  type OAuthResourceServerOptions,
} from '../../src/index.js';
import { broken, html, json, LocalIssuer, redirect, status } from '../support/local-issuer.js';

const resource = 'http://127.0.0.1:1/mcp';

let issuer: LocalIssuer;
const started = closedAfterEach<LocalIssuer>();
const start = async (path?: string) => {
  const another = await LocalIssuer.start(path);
  started.push(another);
  return another;
};
beforeEach(async () => {
  issuer = await start();
  issuer.pages.set('/.well-known/oauth-authorization-server', json(issuer.metadata));
});

const guard = (options: Partial<OAuthResourceServerOptions> = {}) => {
  const { authenticate } = oauthResourceServer({ resource, issuers: [issuer.issuer], ...options });
  return async (token: string): Promise<Authentication> =>
    authenticate({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
};
const access = (claims = {}, header = {}) => issuer.token({ aud: resource, ...claims }, header);
const reasonOf = (outcome: Authentication) =>
  'challenge' in outcome ? [outcome.challenge.status, outcome.challenge.reason] : ['let in'];

describe('the kinds of tokens that are accepted', () => {
  const entra = { aud: resource, scp: 'pages.read', roles: ['Reader'], oid: 'o', tid: 't', ver: '2.0' };
  const accepted: [string, object, object][] = [
    ['of RFC 9068', {}, { typ: 'at+jwt' }],
    ['of RFC 9068 that repeats a nonce', { nonce: 'n' }, { typ: 'at+jwt' }],
    ['of RFC 9068, spelt in full', {}, { typ: 'application/AT+JWT' }],
    ['of Entra ID', entra, { typ: 'JWT' }],
    ['of Keycloak', { typ: 'Bearer', azp: 'app', sid: 's', auth_time: 1 }, { typ: 'JWT' }],
    ['of Auth0', { gty: 'client-credentials' }, { typ: 'JWT' }],
    ['of Cognito', { token_use: 'access', client_id: 'app' }, { typ: undefined }],
  ];
  test.each(accepted)('an access token %s is accepted', async (_issuer, claims, header) => {
    expect(reasonOf(await guard()(await access(claims, header)))).toEqual(['let in']);
  });

  const refused: [string, object, object][] = [
    ['an ID token with a nonce', { nonce: 'n' }, { typ: 'JWT' }],
    ['an ID token with a nonce and no type', { nonce: 'n' }, { typ: undefined }],
    ['an ID token with the hash of an access token', { at_hash: 'h' }, { typ: 'JWT' }],
    ['an ID token with the hash of a code', { c_hash: 'h' }, { typ: 'JWT' }],
    ['an ID token of Keycloak', { typ: 'ID' }, { typ: 'JWT' }],
    ['a refresh token of Keycloak', { typ: 'Refresh' }, { typ: 'JWT' }],
    ['an offline token of Keycloak', { typ: 'Offline' }, { typ: 'JWT' }],
    ['a token of Keycloak that registers clients', { typ: 'RegistrationAccessToken' }, { typ: 'JWT' }],
    ['a token whose kind is no word', { typ: ['ID'] }, { typ: 'JWT' }],
    ['an ID token of another type', { token_type: 'id-token' }, { typ: undefined }],
    ['a logout token that says to be an access token', { events: {} }, { typ: 'at+jwt' }],
    ['an ID token of Cognito', { token_use: 'id' }, { typ: undefined }],
    ['a logout token of Keycloak', { typ: 'Logout' }, { typ: 'JWT' }],
    [
      'a logout token',
      { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
      { typ: 'JWT' },
    ],
    ['a logout token by its type', {}, { typ: 'logout+jwt' }],
    ['a security event', {}, { typ: 'secevent+jwt' }],
    ['a proof of possession', {}, { typ: 'dpop+jwt' }],
    ['a token of a type that nobody knows', {}, { typ: 'x' }],
    ['a token whose type is empty', {}, { typ: '' }],
  ];
  test.each(refused)('%s is refused', async (_kind, claims, header) => {
    expect(reasonOf(await guard()(await access(claims, header)))).toEqual([401, 'type']);
  });

  test.each([
    ['at+jwt', 'let in'],
    ['JWT', 'type'],
    [undefined, 'type'],
  ])('if at+jwt is required, a token of type %s is: %s', async (typ, verdict) => {
    const outcome = reasonOf(await guard({ requireAtJwt: true })(await access({}, { typ })));
    expect(outcome.at(-1)).toBe(verdict);
  });

  test.each([[{ jkt: 'thumbprint' }], [{ 'x5t#S256': 'thumbprint' }], [{}], [null]])(
    'a token that is bound to a key by %j is no bearer token',
    async (cnf) => {
      for (const typ of ['JWT', 'at+jwt']) {
        expect(reasonOf(await guard()(await access({ cnf }, { typ })))).toEqual([401, 'bound']);
      }
    },
  );
});

describe('the reason for refusing a token', () => {
  test('is "missing" without a header, and "malformed" for a header without a token', async () => {
    const { authenticate } = oauthResourceServer({ resource, issuers: [issuer.issuer] });
    const ask = async (authorization?: string) =>
      reasonOf(await authenticate({ headers: { authorization } } as IncomingMessage));
    expect([await ask(), await ask('Bearer ?')]).toEqual([
      [401, 'missing'],
      [400, 'malformed'],
    ]);
  });
});

describe('the keys of an issuer', () => {
  const paths = {
    'an issuer at the root of its origin': '',
    'an issuer with a path': '/realms/shop',
    'an issuer with a slash at its end': '/',
  };
  const pages = {
    'a login page': html,
    'a redirect': redirect,
    'an error': status(500),
    'a broken connection': broken,
    'JSON that is no object': json(['no metadata']),
    'metadata of another issuer': json({
      issuer: 'https://other.example',
      jwks_uri: 'https://other.example',
    }),
    'metadata without keys': json({}),
  };
  const cases = Object.keys(paths).flatMap((kind) => Object.keys(pages).map((page) => [kind, page] as const));

  test.each(cases)('of %s are found behind %s at the first address', async (kind, page) => {
    const path = paths[kind as keyof typeof paths];
    const own = await start(path);
    const inserted = path === '/' ? '' : path;
    own.pages.set(`/.well-known/oauth-authorization-server${inserted}`, pages[page as keyof typeof pages]);
    own.pages.set(`${inserted}/.well-known/openid-configuration`, json(own.metadata));
    const check = guard({ issuers: [own.issuer] });
    expect(reasonOf(await check(await own.token({ aud: resource })))).toEqual(['let in']);
  });

  test('redirects to a document are not followed', async () => {
    const elsewhere = await start();
    elsewhere.pages.set('/stolen', json({ issuer: issuer.issuer, jwks_uri: `${elsewhere.origin}/jwks` }));
    issuer.pages.set('/.well-known/oauth-authorization-server', (res) =>
      res.writeHead(302, { location: `${elsewhere.origin}/stolen` }).end(),
    );
    expect(reasonOf(await guard()(await access()))).toEqual([503, 'unavailable']);
    expect(elsewhere.asked).toEqual([]);
  });

  test('may change at any moment, and no valid token is refused', async () => {
    const check = guard();
    for (const kid of ['second', 'third', undefined, undefined, 'last']) {
      expect(reasonOf(await check(await access()))).toEqual(['let in']);
      await issuer.rotate(kid);
      expect(reasonOf(await check(await access()))).toEqual(['let in']);
    }
  });

  test('are all tried for a token that names none of them', async () => {
    await issuer.rotate(undefined);
    const check = guard();
    await check(await access());
    for (let more = 0; more < 2; more++) {
      await issuer.addKey(undefined);
      expect(reasonOf(await check(await access()))).toEqual(['let in']);
    }
  });

  test('are not fetched again because a signature is wrong', async () => {
    const check = guard();
    const good = await access();
    await check(good);
    for (let index = 0; index < 10; index++) await check(`${good.slice(0, -10)}AAAAAAAAA${index}`);
    expect(issuer.fetches).toBe(1);
  });
});

test.each([
  [{ scope: '', scp: 'a b' }, ['a', 'b']],
  [{ scope: '', scp: ['a', 'b'] }, ['a', 'b']],
  [{ scope: ' ', scp: ['a', '', 5] }, ['a']],
  [{ scope: [], scp: 'a' }, ['a']],
  [{ scope: 'a', scp: ['b'] }, ['a']],
  [{ scp: ['a'] }, ['a']],
  [{ scope: ['a', 'b'] }, ['a', 'b']],
  [{ scope: '' }, []],
  [{}, []],
])('the scopes of a token with %j are %j', async (claims, scopes) => {
  expect(await guard()(await access(claims))).toMatchObject({ principal: { scopes } });
});

test.each([
  ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
  ['http://127.0.0.1:1/', 'http://127.0.0.1:1'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
  ['http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
  ['http://127.0.0.1:1/mcp/', 'http://127.0.0.1:1/mcp'],
  ['http://127.0.0.1:1/mcp', 'http://127.0.0.1:1/mcp/'],
  ['HTTP://LOCALHOST:1/mcp', 'http://localhost:1/mcp'],
])('the resource %s accepts a token for %s', async (own, aud) => {
  expect(reasonOf(await guard({ resource: own })(await access({ aud })))).toEqual(['let in']);
  expect(reasonOf(await guard({ resource: own })(await access({ aud: ['other', aud] })))).toEqual(['let in']);
});

test('a chosen audience is used exactly, and no other is accepted', async () => {
  const check = guard({ audience: 'api://pages' });
  expect(reasonOf(await check(await access({ aud: 'api://pages' })))).toEqual(['let in']);
  expect(reasonOf(await check(await access({ aud: 'api://pages/' })))).toEqual([401, 'audience']);
  expect(reasonOf(await check(await access()))).toEqual([401, 'audience']);
});

describe('a token without an audience, as Cognito sends it', () => {
  const cognito = { aud: undefined, token_use: 'access', client_id: 'app' };
  const check = (claims: object) => async (options?: Partial<OAuthResourceServerOptions>) =>
    reasonOf(await guard(options)(await access({ ...cognito, ...claims }, { typ: undefined })));

  test('is accepted for a listed client, and for no other', async () => {
    const clientIds = ['app'];
    expect(await check({})({ clientIds })).toEqual(['let in']);
    expect(await check({ client_id: 'other' })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({ client_id: undefined })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({ client_id: ['app'] })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({})()).toEqual([401, 'audience']);
  });

  test('must say that it is an access token', async () => {
    const clientIds = ['app'];
    expect(await check({ token_use: undefined })({ clientIds })).toEqual([401, 'type']);
    expect(await check({ token_use: 'id' })({ clientIds })).toEqual([401, 'type']);
  });

  test('is judged by its audience if it has one', async () => {
    const clientIds = ['app'];
    expect(await check({ aud: 'https://other.example' })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({ aud: [] })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({ aud: null })({ clientIds })).toEqual([401, 'audience']);
    expect(await check({ aud: resource, client_id: 'other' })({ clientIds })).toEqual(['let in']);
  });
});
