import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

async function authenticate(claims: object): Promise<Authentication> {
  const { authenticate } = oauthResourceServer({
    resource,
    issuers: [{ issuer, jwksUri: `${issuer}/jwks` }],
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
