import { execFileSync } from 'node:child_process';
import { hash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { oauthResourceServer } from '@toolwright/http';
import { LocalIssuer } from '../../http/test/support/local-issuer.js';
import { clientCertificates, type ClientCertificatesOptions } from '../src/index.js';
import { type BoundServer, startBoundServer } from './support/bound-server.js';
import { RESOURCE } from './support/proof-of-key.js';

/** A key and a certificate that it has signed itself. */
function makeCertificate(name: string) {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const where = ['-keyout', '-', '-out', '-', '-subj', `/CN=${name}`, '-days', '2'];
  const pem = execFileSync('openssl', ['req', '-x509', ...curve, ...where], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const at = pem.indexOf('-----BEGIN CERTIFICATE-----');
  const { raw } = new X509Certificate(pem.slice(at));
  return { key: pem.slice(0, at), cert: pem.slice(at), der: raw.toString('base64') };
}

const own = makeCertificate('client');
const other = makeCertificate('other');
const cnf = { 'x5t#S256': hash('sha256', Buffer.from(own.der, 'base64'), 'base64url') };

let issuer: LocalIssuer;
let open: BoundServer[] = [];

beforeAll(async () => (issuer = await LocalIssuer.start()));
afterAll(() => issuer.close());
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});

async function start(options: Partial<ClientCertificatesOptions> = {}) {
  const proof = clientCertificates({ header: 'X-Client-Cert', from: ['127.0.0.1'], ...options });
  const server = await startBoundServer(issuer, { proofs: [proof] });
  open.push(server);
  return server;
}

const boundToken = () => issuer.token({ aud: RESOURCE, cnf });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test.each([
  ['URL-encoded PEM', encodeURIComponent(own.cert)],
  ['base64', own.der],
  ['a field of RFC 9440', `:${own.der}:`],
])('the certificate of the token passes as %s', async (_what, text) => {
  const server = await start();
  expect((await server.ask({ ...bearer(await boundToken()), 'x-client-cert': text })).status).toBe(200);
});

test.each([
  ['another certificate', encodeURIComponent(other.cert)],
  ['a part of it', own.der.slice(0, 200)],
  ['its thumbprint', cnf['x5t#S256']],
  ['a broken encoding', '%E0%A4%A'],
  ['nothing', ''],
  ['40,000 letters', 'A'.repeat(40_000)],
])('%s is refused', async (what, text) => {
  const server = await start();
  const answer = await server.ask({ ...bearer(await boundToken()), 'x-client-cert': text });
  // node:http itself refuses headers of more than 16 KB.
  expect(answer.status).toBe(what === '40,000 letters' ? 431 : 401);
  if (answer.status === 401) expect(server.reason()).toBe('proof');
});

test('a token that is bound to a certificate is worth nothing without it', async () => {
  const server = await start();
  const answer = await server.ask(bearer(await boundToken()));
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
});

test('the header counts from the proxy only', async () => {
  const headers = { ...bearer(await boundToken()), 'x-client-cert': own.der };
  expect((await (await start({ from: ['10.0.0.0/8', '::1'] })).ask(headers)).status).toBe(401);
  expect((await (await start({ from: ['127.0.0.0/8'] })).ask(headers)).status).toBe(200);
});

test('two headers are refused, also if one has the right certificate', async () => {
  const server = await start();
  const asked = httpRequest(server.url, { method: 'POST' });
  asked.setHeader('content-type', 'application/json');
  asked.setHeader('authorization', `Bearer ${await boundToken()}`);
  asked.setHeader('x-client-cert', [own.der, other.der]);
  asked.end('{}');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(401);
});

test('other tokens are accepted beside them, unless a certificate is required', async () => {
  const token = await issuer.token({ aud: RESOURCE });
  expect((await (await start()).ask(bearer(token))).status).toBe(200);
  const strict = await start({ required: true });
  expect((await strict.ask({ ...bearer(token), 'x-client-cert': own.der })).status).toBe(401);
  expect(strict.reason()).toBe('unbound');
});

test('a token that is bound to a certificate and a key needs both', async () => {
  const server = await start();
  const token = await issuer.token({ aud: RESOURCE, cnf: { ...cnf, jkt: 'a'.repeat(43) } });
  expect((await server.ask({ ...bearer(token), 'x-client-cert': own.der })).status).toBe(401);
  expect(server.reason()).toBe('bound');
});

test('the metadata says that tokens may be bound to certificates', async () => {
  expect(await (await start()).metadata()).toMatchObject({
    tls_client_certificate_bound_access_tokens: true,
  });
});

test('a web-standard request does not say who has sent it, so the token is refused', async () => {
  const proofs = [clientCertificates({ header: 'x-client-cert', from: ['127.0.0.1'] })];
  const issuers = [{ issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` }];
  const oauth = oauthResourceServer({ resource: RESOURCE, issuers, proofs });
  const headers = { ...bearer(await boundToken()), 'x-client-cert': own.der };
  expect(await oauth.authenticate(new Request(RESOURCE, { headers }))).toMatchObject({
    challenge: { status: 401, reason: 'proof' },
  });
});

test('a text that is no address is refused when the server is set up', () => {
  expect(() => clientCertificates({ header: 'x', from: ['proxy'] })).toThrow(
    /clientCertificates\.from: "proxy"/,
  );
});

test('behind a proxy that ends TLS, the client with the certificate passes, and another does not', async () => {
  const server = await start();
  const proxy = createServer({ ...other, requestCert: true, rejectUnauthorized: false }, (req, res) => {
    const seen = (req.socket as TLSSocket).getPeerX509Certificate();
    const headers = { ...req.headers, 'x-client-cert': seen ? seen.raw.toString('base64') : '' };
    delete (headers as { host?: string }).host;
    const passed = httpRequest(server.url, { method: 'POST', headers }, (answer) => {
      res.writeHead(answer.statusCode!);
      answer.pipe(res);
    });
    req.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const token = await boundToken();
  /** A client that also claims to have the right certificate. */
  const ask = async (with_: { key?: string; cert?: string }): Promise<number> => {
    const asked = request({
      host: '127.0.0.1',
      port: (proxy.address() as AddressInfo).port,
      path: '/mcp',
      method: 'POST',
      rejectUnauthorized: false,
      agent: false,
      key: with_.key,
      cert: with_.cert,
      headers: { ...bearer(token), 'content-type': 'application/json', 'x-client-cert': own.der },
    });
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode!;
  };
  try {
    expect(await ask(other)).toBe(401);
    expect(await ask({})).toBe(401);
    // Authenticated; the body is no message.
    expect(await ask(own)).toBe(400);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
