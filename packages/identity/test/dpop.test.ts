import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { systemClock } from '@toolwright/core/ports';
import { oauthResourceServer, type OAuthResourceServerOptions } from '@toolwright/http';
import { LocalIssuer } from '../../http/test/support/local-issuer.js';
import { dpopProofs } from '../src/index.js';
import { type BoundServer, startBoundServer } from './support/bound-server.js';
import { type ProofChanges, ProofKey, RESOURCE } from './support/proof-of-key.js';

let issuer: LocalIssuer;
let key: ProofKey;
let other: ProofKey;
let open: BoundServer[] = [];

beforeAll(async () => {
  [issuer, key, other] = await Promise.all([LocalIssuer.start(), ProofKey.make(), ProofKey.make()]);
});
afterAll(() => issuer.close());
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});

async function start(options: Partial<OAuthResourceServerOptions>, serverOptions: object = {}) {
  const server = await startBoundServer(issuer, options, serverOptions);
  open.push(server);
  return server;
}

const boundToken = (claims: object = {}) => issuer.token({ aud: RESOURCE, cnf: key.cnf, ...claims });
const plainToken = () => issuer.token({ aud: RESOURCE });
const dpop = (token: string, proof: string) => ({ authorization: `DPoP ${token}`, dpop: proof });

test.each(['accepted', 'required'] as const)('%s: a bound token with a proof is accepted', async (mode) => {
  const server = await start({ dpop: mode });
  const token = await boundToken();
  for (const _twice of [1, 2])
    expect((await server.ask(dpop(token, await key.proof(token)))).status).toBe(200);
});

test('a query in the URL of the proof does not count', async () => {
  const server = await start({ dpop: 'accepted' });
  const token = await boundToken();
  const proof = await key.proof(token, { claims: { htu: `${RESOURCE}?a=1#b` } });
  expect((await server.ask(dpop(token, proof))).status).toBe(200);
});

const seconds = () => Math.floor(Date.now() / 1000);
const refused: Record<string, () => ProofChanges> = {
  'another method': () => ({ claims: { htm: 'GET' } }),
  'a method in small letters': () => ({ claims: { htm: 'post' } }),
  'another path': () => ({ claims: { htu: 'https://api.example.com/other' } }),
  'another host': () => ({ claims: { htu: 'https://evil.example/mcp' } }),
  'plain http': () => ({ claims: { htu: 'http://api.example.com/mcp' } }),
  'a URL with a user': () => ({ claims: { htu: 'https://u@api.example.com/mcp' } }),
  'no URL': () => ({ claims: { htu: 'mcp' } }),
  'an age of 70 seconds': () => ({ claims: { iat: seconds() - 70 } }),
  'a time to come': () => ({ claims: { iat: seconds() + 30 } }),
  'a time that is a text': () => ({ claims: { iat: String(seconds()) } }),
  'no time': () => ({ claims: { iat: undefined } }),
  'no jti': () => ({ claims: { jti: undefined } }),
  'an empty jti': () => ({ claims: { jti: '' } }),
  'a jti that is a list': () => ({ claims: { jti: ['a'] } }),
  'a jti of 300 letters': () => ({ claims: { jti: 'a'.repeat(300) } }),
  'no ath': () => ({ claims: { ath: undefined } }),
  'the ath of another token': () => ({ claims: { ath: 'a'.repeat(43) } }),
  'no type': () => ({ header: { typ: undefined } }),
  'the type of an access token': () => ({ header: { typ: 'at+jwt' } }),
  'no key': () => ({ header: { jwk: undefined } }),
  'the private key in its header': () => ({ header: { jwk: key.privateJwk } }),
  'a symmetric algorithm': () => ({
    header: { alg: 'HS256', jwk: { kty: 'oct', k: Buffer.alloc(32, 1).toString('base64url') } },
    signer: new Uint8Array(32).fill(1),
  }),
  'the signature of another key': () => ({ signer: other.privateKey }),
  'another key in its header': () => ({ header: { jwk: other.publicJwk }, signer: other.privateKey }),
};

describe('a proof is refused', () => {
  let server: BoundServer;
  beforeAll(async () => (server = await startBoundServer(issuer, { dpop: 'accepted' })));
  afterAll(() => server.close());

  test.each(Object.keys(refused))('that has %s', async (what) => {
    const token = await boundToken();
    const answer = await server.ask(dpop(token, await key.proof(token, refused[what]!())));
    expect(answer.status).toBe(401);
    expect(server.reason()).toBe('proof');
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^DPoP error="invalid_dpop_proof".*resource_metadata=".*algs="ES256 ES384 PS256 RS256 EdDSA"$/,
    );
  });

  test('that is not signed', async () => {
    const token = await boundToken();
    const [, payload] = (await key.proof(token)).split('.');
    const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: key.publicJwk }));
    const proof = `${header.toString('base64url')}.${payload}.`;
    expect((await server.ask(dpop(token, proof))).status).toBe(401);
  });

  test.each([
    ['empty', ''],
    ['three letters', 'a.b.c'],
    ['long', 'x'.repeat(4_000)],
  ])('that is none, but %s', async (_what, proof) => {
    expect((await server.ask(dpop(await boundToken(), proof))).status).toBe(401);
    expect(server.reason()).toBe('proof');
  });

  test('that comes with a second one', async () => {
    const token = await boundToken();
    const asked = request(server.url, { method: 'POST' });
    asked.setHeader('content-type', 'application/json');
    asked.setHeader('authorization', `DPoP ${token}`);
    asked.setHeader('dpop', [await key.proof(token), await key.proof(token)]);
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(401);
    expect(server.reason()).toBe('proof');
  });

  test('that was used before', async () => {
    const token = await boundToken();
    const proof = await key.proof(token);
    expect((await server.ask(dpop(token, proof))).status).toBe(200);
    expect((await server.ask(dpop(token, proof))).status).toBe(401);
    expect(server.reason()).toBe('replay');
  });

  test('that is missing', async () => {
    expect((await server.ask({ authorization: `DPoP ${await boundToken()}` })).status).toBe(401);
    expect(server.reason()).toBe('proof');
  });
});

test('of 20 requests with one proof at the same time, one passes', async () => {
  const server = await start({ dpop: 'accepted' });
  const token = await boundToken();
  const proof = await key.proof(token);
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.ask(dpop(token, proof))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('another client may use the same jti', async () => {
  const server = await start({ dpop: 'accepted' });
  const claims = { jti: 'same' };
  for (const each of [key, other]) {
    const token = await boundToken({ cnf: each.cnf });
    expect((await server.ask(dpop(token, await each.proof(token, { claims })))).status).toBe(200);
  }
});

test('a bound token that is sent as a bearer token is refused, with and without a proof', async () => {
  const server = await start({ dpop: 'accepted' });
  const token = await boundToken();
  const proof: Record<string, string> = { dpop: await key.proof(token) };
  for (const headers of [{}, proof]) {
    expect((await server.ask({ authorization: `Bearer ${token}`, ...headers })).status).toBe(401);
    expect(server.reason()).toBe('proof');
  }
});

test('accepted: a bearer token is, too, but not with the scheme of DPoP', async () => {
  const server = await start({ dpop: 'accepted' });
  const token = await plainToken();
  expect((await server.ask({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await server.ask(dpop(token, await key.proof(token)))).status).toBe(401);
});

test('required: a bearer token is refused, and a caller without a token learns why', async () => {
  const server = await start({ dpop: 'required' });
  const answer = await server.ask({ authorization: `Bearer ${await plainToken()}` });
  expect(answer.status).toBe(401);
  expect(server.reason()).toBe('unbound');
  expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_token"/);
  expect((await server.ask({})).headers.get('www-authenticate')).toMatch(/^DPoP .*algs="ES256/);
});

test('accepted: a challenge names both schemes', async () => {
  const server = await start({ dpop: 'accepted' });
  expect((await server.ask({})).headers.get('www-authenticate')).toMatch(/^Bearer .*, DPoP algs="ES256/);
});

test('off: a bound token is refused in each scheme, and no document speaks of DPoP', async () => {
  const server = await start({});
  const token = await boundToken();
  expect((await server.ask(dpop(token, await key.proof(token)))).status).toBe(401);
  expect((await server.ask({ authorization: `Bearer ${token}` })).status).toBe(401);
  expect(server.reason()).toBe('bound');
  expect(JSON.stringify(await server.metadata())).not.toMatch(/dpop/i);
});

test('the metadata tells what a client needs', async () => {
  const algorithms = { dpop_signing_alg_values_supported: ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'] };
  const accepted = await (await start({ dpop: 'accepted' })).metadata();
  expect(accepted).toMatchObject(algorithms);
  expect(accepted).not.toHaveProperty('dpop_bound_access_tokens_required');
  const required = await (await start({ dpop: 'required' })).metadata();
  expect(required).toMatchObject({ ...algorithms, dpop_bound_access_tokens_required: true });
});

test('a page may send proofs and read nonces', async () => {
  const server = await start({ dpop: 'accepted' });
  const wanted = 'authorization, dpop, content-type';
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(server.url, {
    method: 'OPTIONS',
    headers: { ...asked, 'access-control-request-headers': wanted },
  });
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('dpop');
  const answer = await server.ask({ origin: 'https://app.example' });
  expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain('dpop-nonce');
});

test('with nonces, a client sends its proof again with the one that it is answered', async () => {
  let ahead = 0;
  const clock = {
    ...systemClock,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
  };
  const server = await start({ proofs: [dpopProofs({ required: true, nonce: true })] }, { ports: { clock } });
  const token = await boundToken({ exp: seconds() + 3_600 });
  const ask = async (nonce: string | undefined) => {
    const iat = Math.floor(clock.now() / 1000);
    return server.ask(dpop(token, await key.proof(token, { claims: { nonce, iat } })));
  };
  const first = await ask(undefined);
  expect(first.status).toBe(401);
  expect(server.reason()).toBe('nonce');
  expect(first.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
  const nonce = first.headers.get('dpop-nonce')!;
  expect((await ask(nonce)).status).toBe(200);
  expect((await ask('a'.repeat(22))).status).toBe(401);
  ahead = 400_000;
  expect((await ask(nonce)).status).toBe(200);
  ahead = 700_000;
  const renewed = await ask(nonce);
  expect(renewed.status).toBe(401);
  expect(renewed.headers.get('dpop-nonce')).not.toBe(nonce);
});

test('while the claim store fails, nobody is let in, and no client is asked for another proof', async () => {
  const claims = { claim: () => Promise.reject(new Error('away')), release: () => false, has: () => false };
  const secrets = ['a secret of the tests that has more than 32 characters'];
  const server = await start({ dpop: 'accepted' }, { stores: { claims }, secrets });
  const token = await boundToken();
  const answer = await server.ask(dpop(token, await key.proof(token)));
  expect(answer.status).toBe(503);
  expect(server.reason()).toBe('unavailable');
});

test.each<[string, Partial<OAuthResourceServerOptions>, RegExp]>([
  ['an unknown mode', { dpop: 'on' as 'accepted' }, /dpop/],
  ['two checks of DPoP', { dpop: 'accepted', proofs: [dpopProofs()] }, /two of them check jkt/],
])('%s is refused when the server is set up', (_what, options, message) => {
  expect(() => oauthResourceServer({ resource: RESOURCE, issuers: [issuer.issuer], ...options })).toThrow(
    message,
  );
});

test('a symmetric algorithm cannot be configured', () => {
  expect(() => dpopProofs({ algorithms: ['HS256'] })).toThrow(/algorithms/);
});
