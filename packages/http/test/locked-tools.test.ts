import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer, RequireScopes, type McpServer, type ServerOptions } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { mcpHttp, oauthResourceServer, type OAuthResourceServerOptions } from '../src/index.js';
import { LocalIssuer } from './support/local-issuer.js';

let issuer: LocalIssuer;
let server: McpServer | undefined;
let app: Server | undefined;
let resource: string;

beforeAll(async () => (issuer = await LocalIssuer.start()));
afterAll(() => issuer.close());
afterEach(async () => {
  app?.close();
  app?.closeAllConnections();
  await server?.close();
  app = server = undefined;
});

async function makeServer(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    ...options,
  });
  const add = (name: string, ...policies: Parameters<typeof RequireScopes.entry>[]) =>
    server!.tools.add({
      name,
      description: `Does ${name}.`,
      policies: policies.map((given) => RequireScopes.entry(...given)),
      handler: () => `${name} done`,
    });
  add('help');
  add('read_ticket', ['tickets:read']);
  add('close_ticket', ['tickets:read', 'tickets:write']);
  add('secret', ['admin', { whenMissing: 'hide' }]);
  server.prompts.add({
    name: 'reply',
    description: 'Reply to a ticket.',
    arguments: [{ name: 'tone' }],
    complete: { tone: () => ['kind'] },
    policies: [RequireScopes.entry('tickets:write')],
    handler: () => 'Reply.',
  });
  server.resources.add({
    uri: 'desk://stats',
    name: 'stats',
    policies: [RequireScopes.entry('tickets:write')],
    handler: () => 'Many.',
  });
  return server;
}

async function serve(options: Partial<ServerOptions>, oauth: Partial<OAuthResourceServerOptions> = {}) {
  const made = await makeServer(options);
  app = createServer();
  await once(app.listen(0, '127.0.0.1'), 'listening');
  resource = `http://127.0.0.1:${(app.address() as AddressInfo).port}/mcp`;
  const trusted = { issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` };
  const guard = oauthResourceServer({ resource, issuers: [trusted], ...oauth });
  app.on('request', mcpHttp(made, { oauth: guard }));
}

interface Asked {
  scope?: string;
  client?: string;
  revision?: string;
}

/** Calls a tool, and returns everything that the answer has. */
async function call(name: string, { scope, client = 'agent', revision = '2026-07-28' }: Asked = {}) {
  const token = scope === undefined ? undefined : await issuer.token({ aud: resource, scope });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(resource, {
      method: 'POST',
      headers: { ...common, ...authorization, 'mcp-protocol-version': revision, ...headers } as never,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const info = { name: client, version: '1' };
  const params = { name, arguments: {} };
  const ask = async () => {
    if (revision === '2026-07-28') {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': info,
      };
      const headers = { 'mcp-method': 'tools/call', 'mcp-name': name };
      return post({ method: 'tools/call', params: { ...params, _meta } }, headers);
    }
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: info };
    const opened = await post({ method: 'initialize', params: hello });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    await opened.text();
    return post({ method: 'tools/call', params }, session);
  };
  const response = await ask();
  const body = (await response.json()) as { result?: any; error?: any };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body };
}

const metaOf = ({ body }: { body: { result?: any } }) =>
  body.result._meta['mcp/www_authenticate'] as string[];

describe('lists', () => {
  const clientOf = async (options: Partial<ServerOptions>, scopes: string[] = ['tickets:read']) =>
    connect(await makeServer(options), { principal: { subject: 'ann', scopes } });
  const namesOf = (listed: readonly { name: string }[]) => listed.map(({ name }) => name);

  test('by default what the caller lacks scopes for is hidden, and no tool names its scopes', async () => {
    const client = await clientOf({});
    const tools = await client.tools();
    expect(namesOf(tools)).toEqual(['help', 'read_ticket']);
    expect(JSON.stringify(tools)).not.toContain('securitySchemes');
    await client.close();
  });

  test('with lockedTools "listed" all stand there, each tool with what it needs, also in _meta', async () => {
    const client = await clientOf({ lockedTools: 'listed' });
    const [help, read, close, ...others] = await client.tools();
    expect(others).toEqual([]);
    expect(help).not.toHaveProperty('securitySchemes');
    const needs = (...scopes: string[]) => [{ type: 'oauth2', scopes }];
    for (const [tool, schemes] of [
      [read, needs('tickets:read')],
      [close, needs('tickets:read', 'tickets:write')],
    ] as const)
      expect(tool).toMatchObject({ securitySchemes: schemes, _meta: { securitySchemes: schemes } });
    expect(namesOf(await client.prompts())).toEqual(['reply']);
    expect(namesOf(await client.resources())).toEqual(['stats']);
    await client.close();
  });

  test('whenMissing decides for one operation, against the option of the server', async () => {
    const made = await makeServer({});
    made.tools.add({
      name: 'offer',
      description: 'An offer.',
      policies: [RequireScopes.entry('paid', { whenMissing: 'list' })],
      handler: () => 'sold',
    });
    const client = await connect(made, { principal: { subject: 'ann', scopes: [] } });
    const tools = await client.tools();
    expect(namesOf(tools)).toEqual(['help', 'offer']);
    expect(tools[1]).toMatchObject({ securitySchemes: [{ type: 'oauth2', scopes: ['paid'] }] });
    await client.close();
  });

  test('what is listed as locked is neither read, watched nor completed', async () => {
    const client = await clientOf({ lockedTools: 'listed' }, []);
    await expect(client.read('desk://stats')).rejects.toThrow(/tickets:write/);
    await expect(client.get('reply', {})).rejects.toThrow(/tickets:write/);
    await expect(client.complete({ prompt: 'reply' }, { name: 'tone', value: 'k' })).rejects.toThrow();
    await client.close();
  });
});

describe('a call that lacks scopes', () => {
  const listed = { lockedTools: 'listed' } as const;

  test('is answered by 403, the header, and a body that says the same', async () => {
    await serve(listed);
    const answer = await call('close_ticket', { scope: 'tickets:read' });
    expect(answer.status).toBe(403);
    expect(answer.challenge).toMatch(/^Bearer error="insufficient_scope", .*resource_metadata="http:/);
    expect(metaOf(answer)).toEqual([answer.challenge]);
    expect(answer.body.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('tickets:write') }],
    });
  });

  test('is answered by 401 if the caller is anonymous, and the body still names an error', async () => {
    await serve(listed, { anonymous: true });
    const answer = await call('close_ticket');
    expect(answer.status).toBe(401);
    expect(answer.challenge).not.toContain('error=');
    expect(metaOf(answer)[0]).toMatch(/error="insufficient_scope", error_description="[^"]+"/);
  });

  test('is answered by 200 and the same body with challenge "result"', async () => {
    await serve(listed, { challenge: 'result' });
    const answer = await call('close_ticket', { scope: 'tickets:read' });
    expect([answer.status, answer.challenge]).toEqual([200, null]);
    expect(answer.body.result.isError).toBe(true);
    expect(metaOf(answer)[0]).toMatch(/resource_metadata="http:.*"/);
  });

  test.each([
    ['openai-mcp', 200],
    ['openai-mcp/1.0.0', 200],
    ['claude-ai', 403],
    ['not-openai-mcp', 403],
  ])('of the client %s is answered by %i, if nothing else is set', async (client, status) => {
    await serve(listed);
    for (const revision of ['2026-07-28', '2025-11-25']) {
      const answer = await call('close_ticket', { scope: 'tickets:read', client, revision });
      expect(answer.status).toBe(status);
      expect(answer.body.result.isError).toBe(true);
    }
  });

  test('names the scopes of the operation on 2026-07-28, and those that are held, too, on older revisions', async () => {
    await serve(listed);
    const scopes = async (revision: string) => {
      const { challenge } = await call('close_ticket', { scope: 'profile tickets:read', revision });
      return /scope="([^"]*)"/.exec(challenge!)![1];
    };
    expect(await scopes('2026-07-28')).toBe('tickets:read tickets:write');
    expect(await scopes('2025-11-25')).toBe('profile tickets:read tickets:write');
    expect(await scopes('2025-03-26')).toBe('profile tickets:read tickets:write');
  });

  test.each(['http', 'result', 'auto'] as const)(
    'is never let in, with challenge "%s"',
    async (challenge) => {
      await serve(listed, { challenge });
      const answer = await call('close_ticket', { scope: 'tickets:read', client: 'openai-mcp' });
      expect(JSON.stringify(answer.body)).not.toContain('close_ticket done');
      const allowed = await call('close_ticket', {
        scope: 'tickets:read tickets:write',
        client: 'openai-mcp',
      });
      expect(allowed.body.result.content[0].text).toBe('close_ticket done');
    },
  );

  test('is answered alike for a tool that is hidden: the name was known, the scope is not', async () => {
    await serve({});
    expect((await call('close_ticket', { scope: 'tickets:read' })).status).toBe(403);
  });
});

test.each([
  ['an unknown option', ['a', { when: 'list' }], /when/],
  ['an unknown word', ['a', { whenMissing: 'show' }], /whenMissing/],
  ['options in front of a scope', ['a', { whenMissing: 'list' }, 'b'], /is not an OAuth scope/],
])('%s of @RequireScopes is refused', async (_what, given, message) => {
  const made = await makeServer();
  expect(() => {
    made.tools.add({
      name: 'odd',
      description: 'Odd.',
      policies: [RequireScopes.entry(...(given as [string]))],
      handler: () => '',
    });
  }).toThrow(message);
});
