import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { MemoryRecordStore } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { openCompany } from './support/company-issuer.js';
import { ProxyAtWork } from './support/open-proxy.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const CLIENT = { client_id: 'the office', client_secret: 'a secret of the office' };
const AUTHORIZATION = `Basic ${Buffer.from(`${encodeURIComponent(CLIENT.client_id)}:${encodeURIComponent(CLIENT.client_secret)}`).toString('base64')}`;

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

let proxy: ProxyAtWork;
let issuer: string;
let key: SigningKey;
let assertions = 0;
let company: Awaited<ReturnType<typeof openCompany>>;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  company = await openCompany(jwk);
  issuer = company.issuer;
  proxy = await ProxyAtWork.start(RESOURCE, {
    replicas: 2,
    clients: [CLIENT],
    identityAssertions: [issuer],
    scopesOf: ({ claims }) => (claims['role'] === 'agent' ? ['read', 'write'] : ['read']),
  });
});

afterAll(async () => {
  company.close();
  await proxy.close();
});

interface Changes {
  claims?: JWTPayload;
  typ?: string;
  life?: string;
  key?: SigningKey;
}

const sign = ({ claims = {}, typ = 'oauth-id-jag+jwt', life = '5m', key: by = key }: Changes = {}) =>
  new SignJWT({
    iss: issuer,
    sub: 'ann@company.example',
    aud: proxy.issuer,
    client_id: CLIENT.client_id,
    jti: `assertion ${++assertions}`,
    resource: RESOURCE,
    scope: 'read write',
    role: 'agent',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ, kid: 'one' })
    .setIssuedAt()
    .setExpirationTime(life)
    .sign(by);

async function exchange(
  assertion: string,
  headers: Record<string, string> = { authorization: AUTHORIZATION },
  at = proxy.issuer,
) {
  const response = await fetch(`${at}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
      ...(headers['authorization'] === undefined && { client_id: CLIENT.client_id }),
    }),
  });
  return (await response.json()) as Record<string, string>;
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

test('An assertion of the company is exchanged for a token, without a page and without a refresh token', async () => {
  const answer = await exchange(await sign());
  expect(answer).toMatchObject({ token_type: 'Bearer', scope: 'read write' });
  expect(answer['refresh_token']).toBeUndefined();
  expect(claimsOf(answer['access_token']!)).toMatchObject({
    iss: proxy.issuer,
    aud: RESOURCE,
    client_id: CLIENT.client_id,
    sub: `${issuer}#ann@company.example`,
  });
});

test('The person gets no more than scopesOf allows, and no more than the assertion says', async () => {
  expect((await exchange(await sign({ claims: { role: 'guest' } })))['scope']).toBe('read');
  expect((await exchange(await sign({ claims: { scope: 'write' } })))['scope']).toBe('write');
});

test('An assertion does not shorten how long a person who has signed in on a page may refresh', async () => {
  const clock = new ManualClock();
  const records = new MemoryRecordStore(clock);
  const openRecords = async () => records;
  const other = await ProxyAtWork.start(RESOURCE, {
    clients: [CLIENT],
    identityAssertions: [issuer],
    scopesOf: () => ['read'],
    clock,
    openRecords,
    lifetimes: { accessToken: '1h', refreshToken: '1d' },
  });
  try {
    const assertion = await sign({ claims: { aud: other.issuer } });
    expect((await exchange(assertion, undefined, other.issuer))['scope']).toBe('read');
    clock.advance(24 * 3_600_000);
    expect(records.list('oauth-Account')).toHaveLength(1);
    clock.advance(2 * 3_600_000);
    expect(records.list('oauth-Account')).toEqual([]);
  } finally {
    await other.close();
  }
});

test('The metadata says that assertions are taken', async () => {
  const response = await fetch(`${proxy.issuer}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toMatchObject({
    grant_types_supported: expect.arrayContaining(['urn:ietf:params:oauth:grant-type:jwt-bearer']),
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  });
});

describe('An assertion is refused', () => {
  const cases: Record<string, () => Promise<string>> = {
    'for another server': () => sign({ claims: { aud: 'https://other.example' } }),
    'for another client': () => sign({ claims: { client_id: 'another' } }),
    'for another resource': () => sign({ claims: { resource: 'https://other.example/mcp' } }),
    'for a resource that is a member of every object': () => sign({ claims: { resource: 'constructor' } }),
    'of an issuer that nobody trusts': () => sign({ claims: { iss: 'https://other.example' } }),
    'of another type, such as an ID token': () => sign({ typ: 'JWT' }),
    'that has ended': () => sign({ life: '-1m' }),
    'that lives for an hour': () => sign({ life: '1h' }),
    'without an id': () => sign({ claims: { jti: undefined } as never }),
    'signed by somebody else': async () => sign({ key: (await generateKeyPair('ES256')).privateKey }),
    'that is no JWT': () => Promise.resolve('nonsense'),
  };
  test.each(Object.entries(cases))('%s', async (_name, make) => {
    const answer = await exchange(await make());
    expect(answer['access_token']).toBeUndefined();
    expect(answer['error']).toMatch(/^invalid_(?:grant|target)$/);
  });

  test('that was used before, also by requests at the same time to different replicas', async () => {
    const assertion = await sign();
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(assertion)));
    expect(answers.filter(({ access_token: token }) => token !== undefined)).toHaveLength(1);
  });

  test('from a client that does not show its secret', async () => {
    expect((await exchange(await sign(), {}))['error']).toBe('invalid_client');
  });
});
