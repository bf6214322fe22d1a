import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT } from 'jose';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { ProxyPerson } from '../support/proxy-person.js';
import { quietProvider } from '../support/quiet-provider.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const CALLBACK = 'http://127.0.0.1:9/callback';

let connections = 0;
const inside = createServer((socket) => {
  connections += 1;
  socket.on('error', () => {}).destroy();
});
let port: number;
let proxy: ProxyAtWork;
let warnings: unknown[][] = [];
const logger = {
  debug() {},
  info() {},
  warn: (...args: unknown[]) => void warnings.push(args),
  error: (...args: unknown[]) => void warnings.push(args),
};

quietProvider();
beforeAll(async () => {
  await once(inside.listen(0), 'listening');
  ({ port } = inside.address() as AddressInfo);
  proxy = await ProxyAtWork.start(RESOURCE, { logger: logger as never });
});

beforeEach(() => {
  connections = 0;
  warnings = [];
});

afterAll(async () => {
  await proxy.close();
  inside.close();
});

const FAILED = 'The metadata document of a client, or its keys, could not be fetched';

test.each([
  '127.0.0.1',
  'localhost',
  '127.1',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '127.0.0.1.',
  '127.8.8.8',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  'localhost.',
])('A metadata document at %s opens no connection, and the log names it', async (host) => {
  const document = `https://${host}:${port}/client.json`;
  const url = new URL(`${proxy.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: document,
    response_type: 'code',
    redirect_uri: CALLBACK,
    resource: RESOURCE,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
    scope: 'read',
  }).toString();
  const { html } = await new ProxyPerson('ann').open(url);
  expect(html).toContain('The sign-in cannot begin');
  expect(connections).toBe(0);
  expect(warnings).toContainEqual([
    { url: document, err: expect.objectContaining({ message: expect.stringMatching(/inside|ENOTFOUND/) }) },
    FAILED,
  ]);
});

test.each(['http', 'https'])('Keys at an %s address of this machine open no connection', async (scheme) => {
  const keys = `${scheme}://127.0.0.1:${port}/jwks`;
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register', {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks_uri: keys,
  });
  const { privateKey } = await generateKeyPair('ES256');
  const assertion = await new SignJWT({ jti: scheme })
    .setProtectedHeader({ alg: 'ES256', kid: 'x' })
    .setIssuer(client)
    .setSubject(client)
    .setAudience(proxy.issuer)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey);
  const response = await fetch(`${proxy.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: CALLBACK,
      client_id: client,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      code_verifier: 'v'.repeat(43),
    }),
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(connections).toBe(0);
  expect(warnings).toContainEqual([expect.objectContaining({ url: keys }), FAILED]);
});
