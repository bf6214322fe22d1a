import { createMcpServer, type McpServer } from '@toolwright/core';
import { mcpFetch, oauthResourceServer } from '@toolwright/http';
import * as jose from 'jose';
import { entraId, type FetchDocument, type IssuerPreset } from '../src/index.js';
import {
  APP,
  entraV2,
  kinds,
  OTHER_TENANT,
  resource,
  TENANT,
  type Claims,
  type Kind,
} from './support/issuer-tokens.js';

// Each token is changed in every way that must matter, and signed for real. Each refusal is one line in the log.

let own: jose.GenerateKeyPairResult;
let foreign: jose.GenerateKeyPairResult;
let jwks: jose.JSONWebKeySet;
let server: McpServer;
/** The lines of the log, without those of the boot. */
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const keep = (fields: object) => void lines.push({ ...fields });
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  server = await createMcpServer({ name: 'matrix', version: '1.0.0', services: [], audit: false, logger });
  [own, foreign] = await Promise.all([
    jose.generateKeyPair('RS256', { extractable: true }),
    jose.generateKeyPair('RS256'),
  ]);
  jwks = { keys: [{ ...(await jose.exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }] };
});

/** Every issuer publishes the same key, so that only its rules tell its tokens from those of others. */
function fetchFor(issuer: () => string): FetchDocument {
  return async (url) => Response.json({ issuer: issuer(), jwks_uri: new URL('/keys', url).href, ...jwks });
}

/** Each request has its own address, because the log puts many refusals of one address together. */
let requests = 0;

async function judge({ preset }: Kind, token: string) {
  const trusted: IssuerPreset = preset(fetchFor(() => trusted.issuer));
  const oauth = oauthResourceServer({ resource, issuers: [trusted] });
  const request = () => new Request(resource, { headers: { authorization: `Bearer ${token}` } });
  const outcome = await oauth.authenticate(request());
  const ip = `10.0.${requests >> 8}.${requests++ & 255}`;
  const endpoint = mcpFetch(server, { oauth, clientAddress: () => ip, allowedHosts: ['api.example.com'] });
  lines.length = 0;
  const { status: answered } = await endpoint(request());
  if (!('challenge' in outcome)) {
    expect({ answered, lines }).toEqual({ answered: 405, lines: [] });
    return outcome.principal!;
  }
  const { status, reason } = outcome.challenge;
  // The token of this test names its issuer, if it can be read at all.
  const issuer = issuerIn(token);
  expect(lines).toEqual([
    {
      reason: 'TW_AUTHENTICATION',
      detail: reason,
      operation: 'request',
      name: '',
      ip,
      count: 1,
      ...(issuer !== undefined && { issuer }),
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(token.split('.').at(-1) || token);
  expect(answered).toBe(status);
  return `${status} ${reason}`;
}

function issuerIn(token: string): string | undefined {
  return token.endsWith('=') ? undefined : jose.decodeJwt(token).iss;
}

const seconds = (from = 0) => Math.floor(Date.now() / 1_000) + from;
const plain = (value: Claims) => JSON.parse(JSON.stringify(value)) as Claims;

function sign(claims: Claims, header: Claims = {}, key: jose.CryptoKey | Uint8Array = own.privateKey) {
  const members = plain({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header });
  return new jose.SignJWT(plain({ exp: seconds(600), iat: seconds(), ...claims }))
    .setProtectedHeader(members as jose.JWTHeaderParameters)
    .sign(key);
}

/** Signs claims that are no value of JavaScript. */
function signText(text: string, header?: Claims) {
  return new jose.CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader(plain({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header }) as never)
    .sign(own.privateKey);
}

interface Change {
  readonly reason: string | ((kind: Kind) => string);
  token(kind: Kind): Promise<string>;
}
const claims =
  (over: Claims) =>
  ({ claims: usual, header }: Kind) =>
    sign({ ...usual, ...over }, header);
const header =
  (over: Claims) =>
  ({ claims: usual, header: own_ }: Kind) =>
    sign(usual, { ...own_, ...over });

const changes: Record<string, Change> = {
  'of another issuer': { reason: '401 issuer', token: claims({ iss: 'https://evil.example' }) },
  'without an issuer': { reason: '401 issuer', token: claims({ iss: undefined }) },
  'whose issuer has one letter more': {
    reason: '401 issuer',
    token: ({ claims: usual, header: members }) =>
      sign({ ...usual, iss: `${String(usual['iss'])}x` }, members),
  },
  'for another resource': { reason: '401 audience', token: claims({ aud: 'https://other.example/mcp' }) },
  'for a resource that begins alike': { reason: '401 audience', token: claims({ aud: `${resource}/x` }) },
  'for nothing': { reason: '401 audience', token: claims({ aud: [] }) },
  'without an audience': {
    reason: ({ withoutAudience }) => withoutAudience ?? '401 audience',
    token: claims({ aud: undefined }),
  },
  'that has expired': { reason: '401 expired', token: claims({ exp: seconds(-60) }) },
  'without an end': { reason: '401 claims', token: claims({ exp: undefined }) },
  'that is not yet valid': { reason: '401 not-yet-valid', token: claims({ nbf: seconds(600) }) },
  'without a subject': {
    reason: ({ subject: [, reason] }) => `401 ${reason}`,
    token: ({ claims: usual, header: members, subject: [claim] }) =>
      sign({ ...usual, ...(claim === 'uid' && { sub: undefined }), [claim]: undefined }, members),
  },
  'that another key has signed': {
    reason: '401 signature',
    token: ({ claims: usual, header: members }) => sign(usual, members, foreign.privateKey),
  },
  'of an unknown key': { reason: '401 unknown-key', token: header({ kid: 'other' }) },
  'without a signature': {
    reason: '401 algorithm',
    token: async (kind) => {
      const [, payload] = (await claims({})(kind)).split('.');
      return `${jose.base64url.encode('{"alg":"none"}')}.${payload}.`;
    },
  },
  'signed with the public key as a secret': {
    reason: '401 algorithm',
    token: async ({ claims: usual }) =>
      sign(usual, { alg: 'HS256' }, new TextEncoder().encode(await jose.exportSPKI(own.publicKey))),
  },
  'whose claims were changed': {
    reason: '401 signature',
    token: async (kind) => {
      const [head, , signature] = (await claims({})(kind)).split('.');
      const [, payload] = (await claims({ scope: 'admin', scp: 'admin' })(kind)).split('.');
      return `${head}.${payload}.${signature}`;
    },
  },
  'with padding': { reason: '401 malformed', token: async (kind) => `${await claims({})(kind)}==` },
  'of the type logout+jwt': { reason: '401 type', token: header({ typ: 'logout+jwt' }) },
  'of the type dpop+jwt': { reason: '401 type', token: header({ typ: 'dpop+jwt' }) },
  'with events': { reason: '401 type', token: claims({ events: {} }) },
  'with a nonce': { reason: '401 type', token: claims({ nonce: 'n' }) },
  'with the hash of an access token': { reason: '401 type', token: claims({ at_hash: 'h' }) },
  'that is used as an ID token': { reason: '401 type', token: claims({ token_use: 'id' }) },
  'that is bound to a key': { reason: '401 bound', token: claims({ cnf: { jkt: 'thumbprint' } }) },
  'that is bound to a certificate': {
    reason: '401 bound',
    token: claims({ cnf: { 'x5t#S256': 'thumbprint' } }),
  },
  'that says it is bound': { reason: '401 bound', token: claims({ token_type: 'DPoP' }) },
};

const matrix = Object.keys(kinds).flatMap((kind) =>
  Object.keys(changes).map((change) => [kind, change] as const),
);

test('the matrix has at least 170 tokens', () => {
  expect(matrix.length).toBeGreaterThanOrEqual(170);
});

test.each(Object.keys(kinds))('an access token of %s is accepted, and says who calls', async (name) => {
  const kind = kinds[name]!;
  expect(await judge(kind, await sign(kind.claims, kind.header))).toMatchObject(kind.caller);
});

test.each(matrix)('a token of %s %s is judged', async (name, change) => {
  const [kind, { reason, token }] = [kinds[name]!, changes[change]!];
  const verdict = await judge(kind, await token(kind));
  const expected = typeof reason === 'string' ? reason : reason(kind);
  expect(typeof verdict === 'string' ? verdict : 'accepted').toBe(expected);
});

test.each([
  ['an issuer', '"iss":"https://evil.example"'],
  ['an audience', '"aud":"https://other.example/mcp"'],
  ['a subject', '"sub":"somebody else"'],
  ['a scope', '"scope":"admin"'],
  ['an end', '"exp":1'],
  ['an escaped audience', '"\\u0061ud":"https://other.example/mcp"'],
  ['a prototype', '"__proto__":1,"__proto__":2'],
  ['a member of a claim', '"x":[{"y":"a","y":"b"}]'],
])('a token that names %s twice is refused', async (_what, first) => {
  const kind = kinds['Keycloak']!;
  const rest = { aud: resource, sub: 'ann', scope: '', exp: seconds(600), ...kind.claims };
  const token = await signText(`{${first},${JSON.stringify(rest).slice(1)}`, kind.header);
  expect(await judge(kind, token)).toBe('401 malformed');
});

test('a token whose claims begin with a byte order mark is refused', async () => {
  const kind = kinds['Keycloak']!;
  const rest = { aud: resource, sub: 'ann', scope: '', exp: seconds(600), ...kind.claims };
  expect(await judge(kind, await signText(`\ufeff${JSON.stringify(rest)}`, kind.header))).toBe(
    '401 malformed',
  );
});

const others = Object.entries(kinds).flatMap(([name, { otherTokens }]) =>
  otherTokens.map((each) => [name, each] as const),
);
test.each(others)('a token of %s that is no access token is refused: %j', async (name, each) => {
  const kind = kinds[name]!;
  expect(await judge(kind, await sign(each, kind.header))).toMatch(/^401 (?:type|audience)$/);
});

const special = Object.entries(kinds).flatMap(([name, { refused = [] }]) =>
  refused.map(([what, over, reason]) => [name, what, over, reason] as const),
);
test.each(special)('a token of %s %s is refused', async (name, _what, over, reason) => {
  const kind = kinds[name]!;
  expect(await judge(kind, await sign({ ...kind.claims, ...over }, kind.header))).toBe(`401 ${reason}`);
});

test.each(Object.keys(kinds).flatMap((one) => Object.keys(kinds).map((other) => [one, other] as const)))(
  'who trusts %s alone is not opened by %s, unless both are one issuer',
  async (one, other) => {
    const [kind, { claims: theirs, header: members }] = [kinds[one]!, kinds[other]!];
    const verdict = await judge(kind, await sign(theirs, members));
    const isSame = theirs['iss'] === kind.claims['iss'];
    expect(typeof verdict === 'string' ? verdict : 'accepted').toBe(isSame ? 'accepted' : '401 issuer');
  },
);

describe('Entra ID of several tenants', () => {
  const shared = { tenant: 'organizations', clientId: APP, tenants: [TENANT] };

  test.each([
    ['https://login.microsoftonline.com/{tenantid}/v2.0', 'object'],
    [`https://login.microsoftonline.com/${OTHER_TENANT}/v2.0`, '401 issuer'],
  ])('has keys that say whose tokens they sign: %s', async (issuer, expected) => {
    const fetch: FetchDocument = async () =>
      Response.json({ keys: jwks.keys.map((key) => ({ ...key, issuer })) });
    const verdict = await judge(
      { ...kinds['Entra ID v2']!, preset: () => entraId({ ...shared, fetch }) },
      await sign(entraV2),
    );
    expect(typeof verdict === 'string' ? verdict : 'object').toBe(expected);
  });

  test('needs to know whose people may call', () => {
    expect(() => entraId({ tenant: 'common', clientId: APP })).toThrow(/whose people may call/);
    expect(() => entraId({ tenant: TENANT, clientId: APP, tenants: [TENANT] })).toThrow(
      /whose people may call/,
    );
  });

  test('may ask a function, and only true lets a tenant in', async () => {
    const ask = async (answer: unknown) => {
      const preset = (fetch: FetchDocument) =>
        entraId({ ...shared, tenants: () => answer as boolean, fetch });
      return typeof (await judge({ ...kinds['Entra ID v2']!, preset }, await sign(entraV2)));
    };
    expect([await ask(true), await ask('yes'), await ask(false)]).toEqual(['object', 'string', 'string']);
  });
});
