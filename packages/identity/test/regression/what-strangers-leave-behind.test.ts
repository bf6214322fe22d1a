import { generateKeyPair, exportJWK, SignJWT } from 'jose';
import { MemoryRecordStore } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { ProxyPerson } from '../support/proxy-person.js';

const CALLBACK = 'http://127.0.0.1:9/callback';
const RESOURCE = 'http://127.0.0.1:9/mcp';
const DOCUMENT = 'https://client.example/metadata.json';
const DAY_MS = 86_400_000;

let clock: ManualClock;
let records: MemoryRecordStore;
let proxy: ProxyAtWork;
let document: object;

beforeEach(async () => {
  jest.spyOn(console, 'warn').mockImplementation();
  clock = new ManualClock();
  records = new MemoryRecordStore(clock);
  proxy = await ProxyAtWork.start(RESOURCE, {
    clock,
    openRecords: async () => records,
    fetch: () => Promise.resolve(Response.json(document)),
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await proxy.close();
});

const asks = (client: string, further: Record<string, string> = {}) =>
  new URL(
    `/oauth/authorize?${new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'read',
      resource: RESOURCE,
      state: 's',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ...further,
    })}`,
    proxy.issuer,
  );

const kept = (room: string) => records.list(room).length;

test('a client that only registered is forgotten after a day, also if somebody opens its page of consent', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  clock.advance(DAY_MS / 2);
  expect((await new ProxyPerson('ann').open(asks(client))).html).toContain('Let this application in?');
  expect(kept('oauth-Client')).toBe(1);
  clock.advance(DAY_MS / 2 + 1_000);
  expect(kept('oauth-Client')).toBe(0);
});

test('a client with which somebody has signed in is known for 90 days', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  expect((await new ProxyPerson('ann').signIn(asks(client))).searchParams.has('code')).toBe(true);
  clock.advance(89 * DAY_MS);
  expect(kept('oauth-Client')).toBe(1);
  clock.advance(2 * DAY_MS);
  expect(kept('oauth-Client')).toBe(0);
});

test('nothing is kept of who has signed in with a browser', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  await new ProxyPerson('ann').signIn(asks(client));
  expect([kept('oauth-Session'), kept('oauth-SessionUid')]).toEqual([0, 0]);
});

test('a registration leaves little behind, however much it says', async () => {
  const response = await fetch(`${proxy.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'a name '.repeat(2_000),
      token_endpoint_auth_method: 'none',
      redirect_uris: Array.from({ length: 200 }, (_, at) => `http://127.0.0.1/${at}`),
      contacts: Array.from({ length: 500 }, (_, at) => `a${at}@b.example`),
      scope: 'x '.repeat(2_000),
    }),
  });
  expect(response.status).toBe(201);
  const [text] = records.list('oauth-Client').map((each) => JSON.stringify(each));
  expect(text!.length).toBeLessThan(4_000);
});

test('a request that says much is refused, and nothing is kept of it', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  for (const path of ['/oauth/authorize', '/oauth/AUTHORIZE']) {
    const url = asks(client, { state: 's'.repeat(8_000) });
    expect((await fetch(`${proxy.issuer}${path}${url.search}`, { redirect: 'manual' })).status).toBe(414);
  }
  expect(kept('oauth-Interaction')).toBe(0);
  await new ProxyPerson('ann').open(asks(client, { state: 's'.repeat(4_000) }));
  expect(kept('oauth-Interaction')).toBe(1);
  clock.advance(31 * 60_000);
  expect(kept('oauth-Interaction')).toBe(0);
});

test.each([
  ['for years', '10y', {}],
  ['with much in them', '5m', { much: 'x'.repeat(9_000) }],
])('assertions of a client that are valid %s are not remembered', async (_what, life, claims) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  document = {
    client_id: DOCUMENT,
    client_name: 'A client',
    redirect_uris: [CALLBACK],
    jwks: { keys: [key] },
    token_endpoint_auth_method: 'private_key_jwt',
  };
  const assertion = await new SignJWT({
    iss: DOCUMENT,
    sub: DOCUMENT,
    aud: proxy.issuer,
    jti: 'one',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime(life)
    .sign(privateKey);
  const response = await fetch(`${proxy.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'guessed',
      redirect_uri: CALLBACK,
      client_id: DOCUMENT,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  });
  expect(response.status).toBe(401);
  expect(kept('oauth-ReplayDetection')).toBe(0);
});
