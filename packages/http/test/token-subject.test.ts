import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@toolwright/core';
import * as jose from 'jose';
import { oauthResourceServer, type Authentication } from '../src/index.js';

const resource = 'http://127.0.0.1:1/mcp';
let keys: Server;
let issuer: string;
let privateKey: jose.CryptoKey;

beforeAll(async () => {
  const pair = await jose.generateKeyPair('ES256');
  privateKey = pair.privateKey as jose.CryptoKey;
  const jwk = await jose.exportJWK(pair.publicKey);
  keys = createServer((_req, res) => res.end(JSON.stringify({ keys: [{ ...jwk, alg: 'ES256' }] })));
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
});
afterAll(() => {
  keys.closeAllConnections();
  return new Promise((resolve) => keys.close(resolve));
});

async function authenticate(claims: { iss?: string; [claim: string]: unknown }): Promise<Authentication> {
  const { authenticate } = oauthResourceServer({
    resource,
    issuers: [{ issuer: claims.iss ?? issuer, jwksUri: `${issuer}/jwks` }],
  });
  const token = await new jose.SignJWT({ iss: issuer, aud: resource, ...claims })
    .setExpirationTime('1m')
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);
  return authenticate({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
}

test('a token of the issuer names its subject', async () => {
  expect(await authenticate({ sub: 'ann' })).toMatchObject({ principal: { issuer, subject: 'ann' } });
});

test.each([[{}], [{ sub: '' }], [{ sub: 5 }], [{ sub: ['ann'] }], [{ sub: null }]])(
  'a token with the claims %j names no subject and is refused',
  async (claims) => {
    expect(await authenticate(claims)).toMatchObject({ challenge: { status: 401 } });
  },
);

test.each([
  [{ client_id: 'app' }, 'app'],
  [{ azp: 'app', appid: 'other' }, 'app'],
  [{ appid: 'app' }, 'app'],
  [{ cid: 'app' }, 'app'],
  [{ client_id: '', azp: ['x'], cid: 'app' }, 'app'],
  [{ client_id: null }, undefined],
])('of a token with %j the client is %s', async (claims, clientId) => {
  const said = await authenticate({ sub: 'ann', ...claims });
  expect((said as { principal: Principal }).principal.clientId).toBe(clientId);
});

describe('an issuer of Entra ID', () => {
  const own = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
  const other = '0d1b7e4c-0000-4000-8000-000000000001';

  test.each([own, own.toUpperCase()])('speaks for its own directory, %s', async (tid) => {
    const said = await authenticate({ iss: `https://login.example.com/${own}/v2.0`, sub: 'ann', tid });
    expect(said).toMatchObject({ principal: { subject: 'ann' } });
  });

  test('does not speak for the directory of others', async () => {
    const iss = `https://login.example.com/${own}/v2.0`;
    expect(await authenticate({ iss, sub: 'ann', tid: other })).toMatchObject({
      challenge: { status: 401, reason: 'issuer' },
    });
  });

  test('is no other one, where a tid may mean anything', async () => {
    for (const tid of ['a token', other])
      expect(await authenticate({ sub: 'ann', tid })).toMatchObject({ principal: { subject: 'ann' } });
  });
});
