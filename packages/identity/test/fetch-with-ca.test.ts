import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createPages, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Confirm, createMcpServer } from '@toolwright/core';
import { oauthResourceServer, type FetchDocument } from '@toolwright/http';
import * as jose from 'jose';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { approvalPage, fetchWithCa, keycloak, tokenIntrospection } from '../src/index.js';
import { makeOwnCa } from './support/certificates.js';
import { RESOURCE } from './support/proof-of-key.js';

// An issuer behind real TLS, whose certificate is of a CA that no machine knows.

const [own, other] = [makeOwnCa('The CA of the company'), makeOwnCa('Another CA')];
let issuer: Server;
let origin: string;
let token: string;
let folder: string;
let answer: (req: IncomingMessage, res: ServerResponse) => void;
const bodies: string[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  const { privateKey, publicKey } = await jose.generateKeyPair('ES256');
  const keys = [{ ...(await jose.exportJWK(publicKey)), kid: 'own', alg: 'ES256' }];
  issuer = createServer(own.server, (req, res) => answer(req, res)).listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  origin = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const name = `${origin}/realms/shop`;
  token = await new jose.SignJWT({ typ: 'Bearer', scope: 'read' })
    .setProtectedHeader({ alg: 'ES256', kid: 'own', typ: 'JWT' })
    .setIssuer(name)
    .setSubject('ann')
    .setAudience(RESOURCE)
    .setExpirationTime('10m')
    .sign(privateKey);
  const documents: Record<string, unknown> = {
    '/realms/shop/.well-known/openid-configuration': {
      issuer: name,
      jwks_uri: `${origin}/keys`,
      introspection_endpoint: `${origin}/introspect`,
      authorization_endpoint: `${origin}/a`,
      token_endpoint: `${origin}/t`,
    },
    '/keys': { keys },
    '/introspect': {
      active: true,
      sub: 'ann',
      aud: RESOURCE,
      exp: 4_000_000_000,
      token_type: 'Bearer',
      scope: 'read',
    },
  };
  usual = (req, res) => {
    const found = documents[req.url!];
    req.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  };
});
let usual: typeof answer;
beforeEach(() => {
  answer = usual;
  bodies.length = 0;
});
afterAll(() => {
  issuer.closeAllConnections();
  issuer.close();
});

/** Who calls with the token, or the status and the reason of the refusal. */
async function judge(fetch: FetchDocument | undefined, sent = token, introspects = false) {
  const preset = keycloak({ url: origin, realm: 'shop', ...(fetch && { fetch }) });
  const introspection = tokenIntrospection({ clientId: 'mcp', clientSecret: 'the secret' });
  const { authenticate } = oauthResourceServer({
    resource: RESOURCE,
    issuers: [{ ...preset, ...(introspects && { introspection, isAccessToken: () => true }) }],
  });
  const headers = { authorization: `Bearer ${sent}` };
  const outcome = await authenticate(new Request(RESOURCE, { headers }));
  if (!('challenge' in outcome)) return outcome.principal!.subject;
  const { status, reason, cause } = outcome.challenge;
  return `${status} ${reason} ${cause ?? ''}`;
}

test('the issuer is trusted by its CA, and by no other', async () => {
  expect(await judge(fetchWithCa({ ca: own.ca }))).toBe('ann');
  expect(await judge(fetchWithCa({ ca: `${other.ca}\n${own.ca}` }))).toBe('ann');
  expect(await judge(fetchWithCa({ ca: other.ca }))).toMatch(/^503 unavailable .*certificate/);
  expect(await judge(undefined)).toMatch(/^503 unavailable/);
});

test('a file is read at each fetch, so a new CA needs no restart', async () => {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, other.ca);
  const fetch = fetchWithCa({ caFile });
  expect(await judge(fetch)).toMatch(/^503 unavailable/);
  writeFileSync(caFile, own.ca);
  expect(await judge(fetch)).toBe('ann');
});

test('the token of a pod is sent, as it is at that moment', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'first\n');
  const seen: (string | undefined)[] = [];
  answer = (req, res) => {
    seen.push(req.headers.authorization);
    usual(req, res);
  };
  const fetch = fetchWithCa({ ca: own.ca, tokenFile });
  await fetch(`${origin}/keys`, {});
  writeFileSync(tokenFile, 'second');
  await fetch(`${origin}/keys`, {});
  expect(seen).toEqual(['Bearer first', 'Bearer second']);
});

test('an opaque token is asked about over the same CA', async () => {
  expect(await judge(fetchWithCa({ ca: own.ca }), 'opaque', true)).toBe('ann');
  expect(Object.fromEntries(new URLSearchParams(bodies.join('')))).toEqual({
    client_id: 'mcp',
    client_secret: 'the secret',
    token: 'opaque',
    token_type_hint: 'access_token',
  });
  expect(await judge(fetchWithCa({ ca: other.ca }), 'opaque', true)).toMatch(
    /^503 unavailable .*introspection/,
  );
});

/** Where the pages of approvals, and those of grants, send a person who has not signed in. */
async function departures(fetchIssuer: FetchDocument) {
  const pages = createPages().listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const at = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const client = { issuer: `${origin}/realms/shop`, clientId: 'pages', fetch: fetchIssuer };
  const rule = { by: 'stored-grant', issuer: client.issuer, clientId: 'mcp' } as const;
  const oauth = oauthResourceServer({
    resource: RESOURCE,
    issuers: [client.issuer],
    exchange: { 'https://other.example': rule },
    grants: { url: `${at}/connections`, ...client },
  });
  const server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    approvals: { url: `${at}/approvals`, oauth, ...client },
    logger: silentLogger,
  });
  server.tools.add({
    name: 'refund',
    description: 'Refunds an order.',
    annotations: { destructiveHint: true },
    policies: [Confirm.entry('Refund it?', { by: 'page' })],
    handler: () => 'done',
  });
  await oauth.attach(server);
  const approvals = approvalPage(server);
  pages.on('request', (req, res) => oauth.pages(req, res, () => approvals(req, res)));
  const left = [];
  for (const page of [`/approvals/${'a'.repeat(24)}`, '/connections']) {
    const answer = await fetch(at + page, { redirect: 'manual' });
    left.push(answer.headers.get('location')?.split('?')[0] ?? answer.status);
    await answer.body?.cancel();
  }
  pages.closeAllConnections();
  pages.close();
  await server.close();
  return left;
}

test('pages send people to an issuer of that CA', async () => {
  expect(await departures(fetchWithCa({ ca: own.ca }))).toEqual([`${origin}/a`, `${origin}/a`]);
  expect(await departures(fetchWithCa({ ca: other.ca }))).toEqual([502, 502]);
});

test.each<[string, (res: ServerResponse) => void]>([
  ['a redirect', (res) => res.writeHead(302, { location: `${origin}/keys` }).end()],
  ['a document of more than a megabyte', (res) => res.writeHead(200).end(`"${'x'.repeat(1_100_000)}"`)],
  ['a connection that breaks', (res) => void res.destroy()],
])('%s is a failure', async (_what, act) => {
  answer = (_req, res) => act(res);
  expect(await judge(fetchWithCa({ ca: own.ca }))).toMatch(/^503 unavailable/);
});

test.each<[string, object]>([
  ['no CA', {}],
  ['a CA and a file', { ca: own.ca, caFile: 'ca.pem' }],
  ['an unknown option', { ca: own.ca, trustAll: true }],
])('%s is refused when the server is set up', (_what, options) => {
  expect(() => fetchWithCa(options)).toThrow();
});
