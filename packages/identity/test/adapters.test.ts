import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { sessionPrincipal, trustedProxy, type Authenticated } from '../src/index.js';

/** What a function for `authenticate` says about a real request. */
async function ask(
  authenticate: (req: IncomingMessage) => Promise<Authenticated>,
  headers: Record<string, string>,
): Promise<Authenticated> {
  let said!: Authenticated;
  const http = createServer((req, res) => {
    void authenticate(req).then((answer) => {
      said = answer;
      res.end();
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  await (await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { headers })).text();
  http.close();
  http.closeAllConnections();
  return said;
}

describe('a session of the application', () => {
  const ann = { subject: 'ann', scopes: ['read'] };
  const origins = ['https://app.example.com'];
  const principal = (req: IncomingMessage) => (req.headers.cookie === 'sid=1' ? ann : undefined);
  const authenticate = sessionPrincipal({ principal, origins });

  test('counts for the pages of the application', async () => {
    const headers = { cookie: 'sid=1', origin: 'https://app.example.com' };
    expect(await ask(authenticate, headers)).toEqual({ principal: ann });
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a frame without an origin', { origin: 'null' }],
    ['a request without an origin', {}],
  ])('does not count for %s', async (_, headers) => {
    const said = await ask(authenticate, { cookie: 'sid=1', ...headers } as Record<string, string>);
    expect(said).toMatchObject({ challenge: { status: 403 } });
  });

  test('counts for a GET of a page at the same origin, with which browsers send no origin', async () => {
    const get = (url: string, method = 'GET', site = 'same-origin') =>
      authenticate({
        method,
        headers: { cookie: 'sid=1', host: new URL(url).host, 'sec-fetch-site': site },
      } as unknown as IncomingMessage);
    expect(await get('https://app.example.com')).toEqual({ principal: ann });
    for (const said of [
      await get('https://api.example.com'),
      await get('https://app.example.com', 'POST'),
      await get('https://app.example.com', 'GET', 'same-site'),
    ])
      expect(said).toMatchObject({ challenge: { status: 403 } });
  });

  test('is not needed: others are anonymous, or bring a token', async () => {
    expect(await ask(authenticate, {})).toEqual({ principal: undefined });
    const token = { principal: { subject: 'bea', scopes: [] } };
    expect(await ask(sessionPrincipal({ principal, origins, or: () => token }), {})).toEqual(token);
  });
});

describe('the word of a proxy', () => {
  const secret = 'a secret that only the proxy has, and we';
  const audience = 'https://api.example.com/mcp';
  const options = { from: ['127.0.0.0/8', '::1'], secrets: [secret], audience };

  const signed = (claims: Record<string, unknown> = {}, { key = secret, alg = 'HS256', life = '1m' } = {}) =>
    new SignJWT({
      iss: 'https://login.example.com',
      sub: 'ann',
      scope: 'read write',
      aud: audience,
      ...claims,
    })
      .setProtectedHeader({ alg })
      .setIssuedAt()
      .setExpirationTime(life)
      .sign(new TextEncoder().encode(key));

  test('counts if the proxy has signed it', async () => {
    const said = await ask(trustedProxy(options), { 'x-identity': await signed() });
    expect(said.principal).toMatchObject({
      issuer: 'https://login.example.com',
      subject: 'ann',
      scopes: ['read', 'write'],
    });
  });

  test('goes through a function of the application', async () => {
    const principal = ({ sub }: Readonly<Record<string, unknown>>) => ({
      subject: `user ${String(sub)}`,
      scopes: [],
    });
    const said = await ask(trustedProxy({ ...options, principal }), { 'x-identity': await signed() });
    expect(said).toEqual({ principal: { subject: 'user ann', scopes: [] } });
  });

  test.each([
    ['from elsewhere', { from: ['10.0.0.0/8'] }, {}, {}, 403],
    ['with another secret', {}, {}, { key: 'a secret that somebody else has chosen' }, 401],
    ['for another endpoint', {}, { aud: 'https://other.example.com' }, {}, 401],
    ['of somebody unnamed', {}, { sub: undefined }, {}, 401],
    ['of nobody', {}, { sub: null }, {}, 401],
    ['of an empty name', {}, { sub: '' }, {}, 401],
    ['of a list', {}, { sub: ['ann'] }, {}, 401],
    ['of a number', {}, { sub: 7 }, {}, 401],
    ['from long ago', {}, {}, { life: '-1m' }, 401],
    ['with a strange algorithm', {}, {}, { alg: 'HS384' }, 401],
  ])('is refused %s', async (_, further, claims, sign, status) => {
    const said = await ask(trustedProxy({ ...options, ...further }), {
      'x-identity': await signed(claims, sign),
    });
    expect(said).toMatchObject({ challenge: { status } });
  });

  test.each(['10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/0x8', '10.0.0.0/33', '/8', ''])(
    'is not trusted because of a network that is none: %p',
    (network) => {
      expect(() => trustedProxy({ ...options, from: [network] })).toThrow(/no address and no network|from/);
    },
  );

  test('is refused unsigned, and when it was signed to live long', async () => {
    const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${text({ alg: 'none' })}.${text({ sub: 'ann', aud: audience, exp: 9_999_999_999 })}.`;
    for (const token of [unsigned, 'ann', ''])
      expect(await ask(trustedProxy(options), { 'x-identity': token })).toMatchObject({
        challenge: { status: 401 },
      });
    const long = await new SignJWT({ sub: 'ann', aud: audience })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(Math.floor(Date.now() / 1_000) - 600)
      .setExpirationTime('10y')
      .sign(new TextEncoder().encode(secret));
    expect(await ask(trustedProxy(options), { 'x-identity': long })).toMatchObject({
      challenge: { status: 401 },
    });
  });

  test('is asked for, unless a token may take its place', async () => {
    expect(await ask(trustedProxy(options), {})).toMatchObject({ challenge: { status: 401 } });
    const token = { principal: { subject: 'bea', scopes: [] } };
    expect(await ask(trustedProxy({ ...options, or: () => token }), {})).toEqual(token);
  });

  test('an address that is none is found at once', () => {
    expect(() => trustedProxy({ ...options, from: ['10.0.0.0/99'] })).toThrow(
      /trustedProxy\.from: "10\.0\.0\.0\/99"/,
    );
  });
});
