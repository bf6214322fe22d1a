import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createMcpServer, RequireScopes, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { mcpHttp, oauthResourceServer, serveHttp, type OAuthResourceServerOptions } from '../src/index.js';
import { LocalIssuer } from './support/local-issuer.js';

let authorizationServer: ChildProcess;
let issuer: string;
let server: McpServer;
let app: Server;
let resource: string;
let callers: unknown[];

beforeAll(async () => {
  authorizationServer = spawn(process.execPath, [join(__dirname, 'support/authorization-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: authorizationServer.stdout! });
  [issuer] = (await once(lines, 'line')) as [string];
});

afterAll(async () => {
  authorizationServer.stdin!.end();
  await once(authorizationServer, 'exit');
});

beforeEach(async () => {
  callers = [];
  server = await createMcpServer({
    name: 'guarded',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  server.tools.add({
    name: 'whoami',
    description: 'Tells who calls.',
    handler: (_args, { principal }) => {
      callers.push(principal);
      return principal?.subject ?? 'nobody';
    },
  });
  server.tools.add({
    name: 'delete_page',
    description: 'Deletes a page.',
    policies: [RequireScopes.entry('pages:read', 'pages:write')],
    handler: () => 'deleted',
  });
  app = createServer();
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  resource = `http://127.0.0.1:${(app.address() as AddressInfo).port}/mcp`;
});

afterEach(async () => {
  app.close();
  app.closeAllConnections();
  await server.close();
});

function guard(options: Partial<OAuthResourceServerOptions> = {}) {
  const oauth = oauthResourceServer({
    resource,
    issuers: [issuer],
    scopesSupported: ['pages:read'],
    ...options,
  });
  const endpoint = mcpHttp(server, { oauth });
  app.on('request', (req, res) => oauth.metadata(req, res, () => endpoint(req, res)));
  return oauth;
}

async function token({ scope = 'pages:read', audience = resource } = {}): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('agent:secret-of-the-test').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

async function send(method: string, params: object, headers: Record<string, string> = {}) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = (params as { name?: string }).name;
  const response = await fetch(resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
  });
  const body = (await response.json()) as { result?: any; error?: { code: number; message: string } };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body };
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const call = (name: string, headers?: Record<string, string>) =>
  send('tools/call', { name, arguments: {} }, headers);

test('a token of the real authorization server identifies the principal', async () => {
  guard();
  const { status, body } = await call('whoami', bearer(await token()));
  expect(status).toBe(200);
  expect(body.result.content[0].text).toBe('agent');
  expect(callers).toEqual([
    expect.objectContaining({ issuer, subject: 'agent', clientId: 'agent', scopes: ['pages:read'] }),
  ]);
});

test('the principal contains no part of the token', async () => {
  guard();
  const text = await token();
  await call('whoami', bearer(text));
  expect(callers).toHaveLength(1);
  expect(JSON.stringify(callers)).not.toContain(text.split('.')[2]);
});

test('a call without a token gets 401, with the metadata and the scopes to ask for', async () => {
  guard();
  const { status, challenge } = await call('whoami');
  expect(status).toBe(401);
  const { origin } = new URL(resource);
  expect(challenge).toBe(
    `Bearer scope="pages:read", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  );
});

test('a token in the query string does not count', async () => {
  guard();
  const url = `${resource}?access_token=${await token()}`;
  const response = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(401);
});

test.each(['Bearer', 'Bearer a b', 'Bearer {}'])(
  'the header "%s" is a malformed request',
  async (authorization) => {
    guard();
    const { status, challenge } = await call('whoami', { authorization });
    expect(status).toBe(400);
    expect(challenge).toContain('error="invalid_request"');
  },
);

test('one 403 names all scopes that a tool needs', async () => {
  guard();
  const { status, challenge } = await call('delete_page', bearer(await token()));
  expect(status).toBe(403);
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toContain('scope="pages:read pages:write"');
  expect(challenge).toContain('resource_metadata="http');
});

test('a tool is listed exactly if the token allows to call it', async () => {
  guard();
  const names = async (scope: string) => {
    const { body } = await send('tools/list', {}, bearer(await token({ scope })));
    expect(body.result.cacheScope).toBe('private');
    return body.result.tools.map((tool: { name: string }) => tool.name);
  };
  expect(await names('pages:read')).toEqual(['whoami']);
  expect(await names('pages:read pages:write')).toEqual(['whoami', 'delete_page']);
});

test('a scope can include another', async () => {
  guard({ impliedScopes: { 'pages:write': ['pages:read'] } });
  const { status } = await call('delete_page', bearer(await token({ scope: 'pages:write' })));
  expect(status).toBe(200);
});

test('callers without a token may be accepted for operations without scopes', async () => {
  guard({ anonymous: true });
  expect((await call('whoami')).body.result.content[0].text).toBe('nobody');
  expect((await call('delete_page')).status).toBe(401);
});

describe('tokens that are refused with 401', () => {
  const forged: Record<string, () => Promise<string>> = {
    'for another audience': () => token({ audience: 'http://127.0.0.1:1/other' }),
    'with a changed payload': async () => {
      const [header, , signature] = (await token()).split('.');
      const payload = { iss: issuer, aud: resource, sub: 'admin', exp: Math.floor(Date.now() / 1000) + 60 };
      return `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`;
    },
    'that is no token': async () => 'not-a-token',
  };

  const expiring = (local: LocalIssuer, exp: number) => local.token({ aud: resource, exp });

  test.each(Object.keys(forged))('%s', async (kind) => {
    guard();
    const { status, challenge, body } = await call('whoami', bearer(await forged[kind]!()));
    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
    expect(body.error!.message).toMatch(/^The access token/);
    expect(callers).toEqual([]);
  });

  test('that has expired', async () => {
    const local = await LocalIssuer.start();
    const jwksUri = `${local.origin}/jwks`;
    guard({ issuers: [{ issuer: local.issuer, jwksUri }], clockTolerance: '0s' });
    const now = Math.floor(Date.now() / 1000);
    const { status, challenge } = await call('whoami', bearer(await expiring(local, now - 1)));
    expect(status).toBe(401);
    expect(challenge).toContain('The access token has expired.');
    expect((await call('whoami', bearer(await expiring(local, now + 60)))).status).toBe(200);
    await local.close();
  });
});

test('while the issuer cannot be reached, the answer says nothing about the token', async () => {
  const text = await token();
  const gone = 'http://127.0.0.1:1';
  guard({ issuers: [{ issuer, jwksUri: `${gone}/jwks` }] });
  const response = await call('whoami', bearer(text));
  expect(response.status).toBe(503);
  expect(response.challenge).toBeNull();
});

test('a wrong Origin is refused before the token is read', async () => {
  guard();
  const { status, challenge } = await call('whoami', { origin: 'https://evil.example' });
  expect(status).toBe(403);
  expect(challenge).toBeNull();
});

test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
  'the metadata is at %s, without a token',
  async (path) => {
    guard({ resourceName: 'Pages' });
    const response = await fetch(new URL(path, resource));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['pages:read'],
      resource_name: 'Pages',
    });
  },
);

test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
  'a page of any origin may request %s and name its revision',
  async (path) => {
    guard();
    const asking = {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const response = await fetch(new URL(path, resource), { method: 'OPTIONS', headers: asking });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('GET');
    expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  },
);

test('at the root of an origin, a token for what the metadata publishes is accepted', async () => {
  const root = new URL('/', resource).origin;
  const oauth = guard({ resource: root });
  const response = await fetch(oauth.metadataUrl);
  const { resource: published } = (await response.json()) as { resource: string };
  for (const audience of [published, published.replace(/\/$/, '')]) {
    expect((await call('whoami', bearer(await token({ audience })))).status).toBe(200);
  }
});

test('serveHttp serves the metadata itself', async () => {
  const oauth = oauthResourceServer({ resource, issuers: [issuer] });
  const service = await serveHttp(server, { port: 0, oauth, signals: false });
  const response = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', service.url));
  expect(await response.json()).toMatchObject({ resource });
  await service.close();
});

test.each<[string, Partial<OAuthResourceServerOptions>, RegExp]>([
  ['no issuer', { issuers: [] }, /oauth\.issuers is empty/],
  [
    'an issuer without TLS',
    { issuers: ['http://login.example.com'] },
    /oauth\.issuers: expected an https URL/,
  ],
  ['a resource that is no URL', { resource: 'pages' }, /oauth\.resource: expected an https URL, got "pages"/],
  ['a symmetric algorithm', { algorithms: ['HS256'] }, /oauth\.algorithms has HS256/],
  ['offline_access', { scopesSupported: ['offline_access'] }, /offline_access/],
])('%s is refused when the server is set up', (_what, options, message) => {
  expect(() => oauthResourceServer({ resource, issuers: [issuer], ...options })).toThrow(message);
});
