import { systemClock } from '@toolwright/core/ports';
import { oauthResourceServer, type OAuthResourceServerOptions, type TrustedIssuer } from '@toolwright/http';
import { type TokenIntrospectionOptions, tokenIntrospection } from '../src/index.js';
import { type BoundServer, startBoundServer } from './support/bound-server.js';
import { startOpaqueIssuer, type OpaqueIssuer, type OpaqueWish } from './support/opaque-issuer.js';
import { ProofKey, RESOURCE } from './support/proof-of-key.js';
import { quietProvider } from './support/quiet-provider.js';

let issuer: OpaqueIssuer;

quietProvider();
beforeAll(async () => {
  issuer = await startOpaqueIssuer();
});
afterAll(async () => {
  await issuer.close();
});
afterEach(() => {
  issuer.asked.length = 0;
  Object.assign(issuer, { change: undefined, outage: undefined, gate: Promise.resolve() });
});

const client = { clientId: 'mcp', clientSecret: 'secret of mcp' };

interface Wish {
  readonly introspection?: Partial<TokenIntrospectionOptions>;
  readonly trusted?: Partial<TrustedIssuer>;
  readonly options?: Partial<OAuthResourceServerOptions>;
}

/** What becomes of a request with a token: the caller, or the status and the reason. */
function guard({ introspection = client, trusted, options }: Wish = {}) {
  const asked = tokenIntrospection(introspection as TokenIntrospectionOptions);
  const issuers = [{ issuer: issuer.issuer, introspection: asked, ...trusted }];
  const { authenticate } = oauthResourceServer({ resource: RESOURCE, issuers, ...options });
  return async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const outcome = await authenticate(new Request(RESOURCE, { headers }));
    if (!('challenge' in outcome)) return outcome.principal!;
    const { status, reason } = outcome.challenge;
    return `${status} ${reason}`;
  };
}

test.each<[string, Partial<TokenIntrospectionOptions>, string]>([
  ['a secret in the body', client, 'post'],
  [
    'a secret in a header',
    { clientId: 'mcp-basic', clientSecret: 'secret of mcp-basic', clientAuth: 'basic' },
    'basic',
  ],
  ['a key', { clientId: 'mcp-key' }, 'private_key_jwt'],
])('an opaque token is accepted by an issuer that knows this server by %s', async (_what, own, by) => {
  const introspection = { ...own, ...(own.clientId === 'mcp-key' && { privateKey: issuer.clientKey }) };
  const token = await issuer.token({ scope: 'read write' });
  expect(await guard({ introspection })(token)).toMatchObject({
    issuer: issuer.issuer,
    subject: 'ann',
    clientId: 'desktop',
    scopes: ['read', 'write'],
  });
  expect(issuer.asked).toEqual([{ token, by }]);
});

test.each<[string, OpaqueWish, string]>([
  ['for another resource', { resource: 'https://other.example.com/mcp' }, '401 audience'],
  ['that is there to be refreshed', { kind: 'RefreshToken' }, '401 audience'],
  ['of a program, which names no subject', { kind: 'ClientCredentials' }, '401 subject'],
  ['that is bound to a key', { jkt: 'a'.repeat(43) }, '401 bound'],
  ['that has expired', { life: -10 }, '401 inactive'],
])('a token %s is refused', async (_what, wish, expected) => {
  expect(await guard()(await issuer.token(wish))).toBe(expected);
});

test('a revoked token is refused, and so is one that nobody has issued', async () => {
  const token = await issuer.token();
  await issuer.revoke(token);
  const ask = guard();
  expect(await ask(token)).toBe('401 inactive');
  expect(await ask('invented')).toBe('401 inactive');
  expect(await ask('a.b.c')).toBe('401 inactive');
  expect(await ask('eyJhbGciOiJub25lIn0.bm8.')).toBe('401 inactive');
});

const seconds = () => Math.floor(Date.now() / 1_000);
/** What an issuer may answer about a valid token, and what becomes of it. `ok`: it is accepted. */
const answers: [string, Record<string, unknown>, string][] = [
  ['as it is', {}, 'ok'],
  ['without iss', { iss: undefined }, 'ok'],
  ['with several audiences', { aud: ['https://a.example', RESOURCE] }, 'ok'],
  ['with scopes in scp', { scope: undefined, scp: ['read'] }, 'ok'],
  ['with typ in place of token_type', { token_type: undefined, typ: 'Bearer' }, 'ok'],
  ['with token_use, as Hydra', { token_type: 'Bearer', token_use: 'access_token' }, 'ok'],
  ['with active: false', { active: false }, '401 inactive'],
  ['with iss of another', { iss: 'https://evil.example' }, '401 issuer'],
  ['with iss that is a list', { iss: ['https://evil.example'] }, '401 issuer'],
  ['without aud', { aud: undefined }, '401 audience'],
  ['with an empty list of audiences', { aud: [] }, '401 audience'],
  ['with an aud that begins alike', { aud: `${RESOURCE}/x` }, '401 audience'],
  ['with an aud that is a number', { aud: 5 }, '401 audience'],
  ['with an end that is over', { exp: seconds() - 60 }, '401 expired'],
  ['without an end', { exp: undefined }, '401 claims'],
  ['with an end that is a text', { exp: String(seconds() + 60) }, '401 claims'],
  ['with a begin to come', { nbf: seconds() + 60 }, '401 not-yet-valid'],
  ['with a time of issue that is no time', { iat: 'now' }, '401 claims'],
  ['without a subject', { sub: undefined }, '401 subject'],
  ['with an empty subject', { sub: '' }, '401 subject'],
  ['without a kind', { token_type: undefined }, '401 type'],
  ['with the kind refresh_token', { token_type: 'refresh_token' }, '401 type'],
  ['with token_use refresh_token, as Hydra', { token_use: 'refresh_token' }, '401 type'],
  ['with typ ID, as Keycloak', { typ: 'ID' }, '401 type'],
  ['with a nonce', { nonce: 'n' }, '401 type'],
  ['with events', { events: {} }, '401 type'],
  ['with cnf', { cnf: { jkt: 'a' } }, '401 bound'],
  ['with an empty cnf', { cnf: {} }, '401 bound'],
  ['with token_type DPoP alone', { token_type: 'DPoP' }, '401 bound'],
];
test.each(answers)('the answer of the issuer %s', async (_what, over, expected) => {
  const { active: _active, ...rest } = over;
  issuer.change = (answer) => ({ ...answer, ...rest, active: over['active'] ?? true });
  const verdict = await guard()(await issuer.token());
  expect(typeof verdict === 'string' ? verdict : 'ok').toBe(expected);
});

test.each<[string, unknown]>([
  ['a list', []],
  ['a text', 'active'],
  ['active as a text', { active: 'true' }],
  ['active as a number', { active: 1 }],
  ['nothing', {}],
])('an answer that is none (%s) accepts nothing', async (_what, answer) => {
  issuer.change = () => answer;
  expect(await guard()(await issuer.token())).toBe('503 unavailable');
});

test('a time that no clock reaches is refused', async () => {
  issuer.change = (answer) => JSON.stringify(answer).replace(/"exp":\d+/, '"exp":1e400');
  const fetchText: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    const headers = { 'content-type': 'application/json' };
    return String(url).endsWith('/introspection') ? new Response(await answer.text(), { headers }) : answer;
  };
  const ask = guard({ trusted: { fetch: fetchText as TrustedIssuer['fetch'] & object } });
  expect(await ask(await issuer.token())).toBe('401 claims');
});

test('the rules of the issuer count as for JWTs: its audience, its clients, its mark, its reader of callers', async () => {
  const of = async (trusted: Partial<TrustedIssuer>, wish: OpaqueWish = {}) => {
    const verdict = await guard({ trusted })(await issuer.token(wish));
    return typeof verdict === 'string' ? verdict : verdict.subject;
  };
  expect(await of({ audience: 'urn:api' })).toBe('401 audience');
  expect(await of({ audience: 'urn:api' }, { resource: 'urn:api' })).toBe('ann');
  expect(await of({ isAccessToken: ({ scope }) => scope === 'write' })).toBe('401 type');
  expect(await of({ principal: ({ client_id }) => ({ subject: `app ${String(client_id)}` }) })).toBe(
    'app desktop',
  );
  issuer.change = ({ aud: _aud, ...answer }) => answer;
  expect(await of({ clientIds: ['desktop'] })).toBe('ann');
  expect(await of({ clientIds: ['another'] })).toBe('401 audience');
});

test('a JWT is never sent to the issuer', async () => {
  const jwt = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"iss":"x"}').toString('base64url')}.c2ln`;
  expect(await guard()(jwt)).toBe('401 issuer');
  expect(issuer.asked).toEqual([]);
});

describe('what was asked once', () => {
  let ahead = 0;
  beforeEach(() => void (ahead = 0));
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const open = () => tokenIntrospection(client).open({ issuer: issuer.issuer }, clock);

  test('is remembered for 30 seconds, so a revoked token ends after that', async () => {
    const [ask, token] = [open(), await issuer.token()];
    for (const _again of [1, 2, 3]) expect(await ask(token)).toMatchObject({ sub: 'ann' });
    await issuer.revoke(token);
    ahead = 29_000;
    expect(await ask(token)).toMatchObject({ sub: 'ann' });
    expect(issuer.asked).toHaveLength(1);
    ahead = 31_000;
    expect(await ask(token)).toBeUndefined();
    expect(issuer.asked).toHaveLength(2);
  });

  test('is not remembered for longer than the token lives', async () => {
    const [ask, token] = [open(), await issuer.token({ life: 10 })];
    expect(await ask(token)).toMatchObject({ sub: 'ann' });
    ahead = 11_000;
    await ask(token);
    expect(issuer.asked).toHaveLength(2);
  });

  test('is remembered for 5 seconds if the token is not active', async () => {
    const ask = open();
    for (const _again of [1, 2, 3]) expect(await ask('invented')).toBeUndefined();
    expect(issuer.asked).toHaveLength(1);
    ahead = 6_000;
    expect(await ask('invented')).toBeUndefined();
    expect(issuer.asked).toHaveLength(2);
  });

  test('is never remembered with remember: 0', async () => {
    const [ask, token] = [guard({ introspection: { ...client, remember: 0 } }), await issuer.token()];
    await ask(token);
    await ask(token);
    expect(issuer.asked).toHaveLength(2);
  });
});

test('of 100 requests with one token at the same time, one asks the issuer', async () => {
  let open = (): void => undefined;
  issuer.gate = new Promise<void>((resolve) => (open = resolve));
  const [ask, token] = [guard(), await issuer.token()];
  const verdicts = Array.from({ length: 100 }, () => ask(token));
  open();
  for (const verdict of await Promise.all(verdicts)) expect(verdict).toMatchObject({ subject: 'ann' });
  expect(issuer.asked).toHaveLength(1);
});

test('the memory is bounded, and invented tokens push out no valid one', async () => {
  const ask = guard({ introspection: { ...client, rememberedTokens: 3 } });
  const valid = await issuer.token();
  await ask(valid);
  for (let index = 0; index < 10; index++) await ask(`invented-${index}`);
  expect(await ask(valid)).toMatchObject({ subject: 'ann' });
  expect(issuer.asked.filter(({ token }) => token === valid)).toHaveLength(1);
  await ask('invented-0');
  expect(issuer.asked.filter(({ token }) => token === 'invented-0')).toHaveLength(2);
});

test('invented tokens cause a limited number of questions at a time', async () => {
  let open = (): void => undefined;
  const ask = guard({ introspection: { ...client, atOnce: 4 } });
  const known = await issuer.token();
  await ask(known);
  issuer.gate = new Promise<void>((resolve) => (open = resolve));
  const verdicts = Array.from({ length: 20 }, (_each, index) => ask(`flood-${index}`));
  // Who is known goes on meanwhile.
  expect(await ask(known)).toMatchObject({ subject: 'ann' });
  open();
  const counts = { '401 inactive': 0, '503 unavailable': 0 };
  for (const verdict of await Promise.all(verdicts)) counts[verdict as keyof typeof counts]++;
  expect(counts).toEqual({ '401 inactive': 4, '503 unavailable': 16 });
  expect(issuer.asked).toHaveLength(5);
});

describe('an issuer that cannot be asked', () => {
  const lines: Record<string, unknown>[] = [];
  let server: BoundServer;
  const logger = {
    debug() {},
    error() {},
    info: (fields: object) => void lines.push({ ...fields }),
    warn: (fields: object) => void lines.push({ ...fields }),
  };
  const start = async (introspection: Partial<TokenIntrospectionOptions>) => {
    const asked = tokenIntrospection({ ...client, ...introspection } as TokenIntrospectionOptions);
    const issuers = [{ issuer: issuer.issuer, introspection: asked }];
    server = await startBoundServer(issuer, { issuers }, { logger });
    lines.length = 0;
  };
  afterEach(() => server.close());

  test.each<[string, Partial<TokenIntrospectionOptions>, number | undefined, RegExp]>([
    ['is away', {}, 503, /status 503/],
    ['does not know this server', { clientSecret: 'wrong' }, undefined, /status 401, invalid_client/],
    [
      'has another endpoint',
      { endpoint: 'http://127.0.0.1:2/introspect' },
      undefined,
      /failed: ECONNREFUSED/,
    ],
  ])('lets nobody in, and the log says why: it %s', async (_what, introspection, outage, cause) => {
    await start(introspection);
    issuer.outage = outage;
    const token = await issuer.token();
    const answer = await server.ask({ authorization: `Bearer ${token}` });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(lines).toEqual([
      expect.objectContaining({
        detail: 'unavailable',
        issuer: issuer.issuer,
        cause: expect.stringMatching(cause),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${token}|secret|wrong`));
    // A failure is not remembered.
    issuer.outage = undefined;
    const again = await server.ask({ authorization: `Bearer ${token}` });
    expect(again.status).toBe(outage === undefined ? 503 : 200);
  });

  test('a refusal is logged with its reason and the issuer, and never with the token', async () => {
    await start({});
    expect((await server.ask({ authorization: 'Bearer invented-token' })).status).toBe(401);
    expect(lines).toEqual([
      expect.objectContaining({ reason: 'TW_AUTHENTICATION', detail: 'inactive', issuer: issuer.issuer }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('invented-token');
  });
});

test('a token that is bound to a key is accepted with its proof', async () => {
  const key = await ProofKey.make();
  const introspection = tokenIntrospection(client);
  const issuers = [{ issuer: issuer.issuer, introspection }];
  const server = await startBoundServer(issuer, { issuers, dpop: 'accepted' });
  const token = await issuer.token({ jkt: key.cnf.jkt });
  const ask = async (headers: Record<string, string>) => (await server.ask(headers)).status;
  expect(await ask({ authorization: `DPoP ${token}`, dpop: await key.proof(token) })).toBe(200);
  expect(await ask({ authorization: `DPoP ${token}` })).toBe(401);
  expect(await ask({ authorization: `Bearer ${token}` })).toBe(401);
  await server.close();
});

test('with several issuers, each sees only tokens that may be its own', async () => {
  const other = await startOpaqueIssuer();
  const of = ({ issuer: name }: OpaqueIssuer, prefix: string) => ({
    issuer: name,
    introspection: tokenIntrospection({ ...client, isOwn: (token) => token.startsWith(prefix) }),
  });
  const { authenticate } = oauthResourceServer({
    resource: RESOURCE,
    issuers: [of(issuer, 'a-'), of(other, 'b-')],
  });
  for (const token of ['a-1', 'b-2', 'c-3']) {
    const request = new Request(RESOURCE, { headers: { authorization: `Bearer ${token}` } });
    expect(await authenticate(request)).toMatchObject({
      challenge: { status: 401, reason: token === 'c-3' ? 'malformed' : 'inactive' },
    });
  }
  expect([issuer.asked, other.asked].map((all) => all.map(({ token }) => token))).toEqual([['a-1'], ['b-2']]);
  await other.close();
});

describe('what is wrong is said when the server is set up', () => {
  test.each<[string, object, RegExp]>([
    ['no client', { clientSecret: 's' }, /clientId[^]*tokenIntrospection/],
    ['no secret and no key', { clientId: 'mcp' }, /neither a secret nor a private key/],
    ['a secret and a key', { ...client, privateKey: {} }, /a secret and a private key/],
    [
      'a public key',
      { clientId: 'mcp', privateKey: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', alg: 'ES256' } },
      /no private key/,
    ],
    ['an empty secret', { clientId: 'mcp', clientSecret: '' }, /clientSecret/],
    ['an unknown option', { ...client, cache: '1m' }, /cache/],
    ['a time that is none', { ...client, remember: 'soon' }, /remember/],
    ['no question at a time', { ...client, atOnce: 0 }, /atOnce/],
  ])('%s', (_what, options, message) => {
    expect(() => tokenIntrospection(options as TokenIntrospectionOptions)).toThrow(message);
  });

  test('a private key is never in the message', () => {
    const privateKey = { ...issuer.clientKey, alg: undefined } as never;
    expect(() => tokenIntrospection({ clientId: 'mcp', privateKey })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(issuer.clientKey.d!) }),
    );
  });

  test.each<[string, Partial<OAuthResourceServerOptions>, RegExp]>([
    [
      'two issuers that are asked about all tokens',
      {
        issuers: ['https://a.example', 'https://b.example'].map((each) => ({
          issuer: each,
          introspection: tokenIntrospection(client),
        })),
      },
      /https:\/\/a\.example would be asked about all of them/,
    ],
    [
      'an endpoint over plain http',
      {
        issuers: [
          {
            issuer: 'https://a.example',
            introspection: tokenIntrospection({ ...client, endpoint: 'http://a.example/i' }),
          },
        ],
      },
      /no https URL/,
    ],
    [
      'another object',
      { issuers: [{ issuer: 'https://a.example', introspection: {} as never }] },
      /tokenIntrospection of @toolwright\/identity/,
    ],
  ])('%s', (_what, options, message) => {
    expect(() =>
      oauthResourceServer({ resource: RESOURCE, issuers: ['https://a.example'], ...options }),
    ).toThrow(message);
  });
});
