import { RequireScopes, type Principal } from '@toolwright/core';
import { oauthResourceServer, type McpHttpOptions } from '../../src/index.js';
import { createFixture, type Fixture } from '../support/fixture.js';
import { LegacyClient } from '../support/legacy-client.js';
import { servedUntilAfterEach } from '../support/serve-fixture.js';
import { LiveStream } from '../support/live-stream.js';
import { call, modern, send } from '../support/wire.js';

const start = servedUntilAfterEach();
let fixture: Fixture;

async function serve(options: McpHttpOptions = {}, server = {}): Promise<string> {
  fixture = await createFixture(server);
  fixture.server.tools.add({
    name: 'guarded',
    description: 'Guarded.',
    policies: [RequireScopes.entry('pages:read', 'pages:write')],
    handler: () => 'done',
  });
  return (await start(fixture, options)).url;
}

const oauth = () =>
  oauthResourceServer({
    resource: 'https://api.example.com/mcp',
    issuers: ['https://login.example.com'],
    anonymous: true,
  });
const METADATA = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';

describe('an anonymous caller without the scopes is asked to sign in', () => {
  const nobodies: [string, McpHttpOptions][] = [
    ['principal says undefined', { principal: () => undefined }],
    ['principal says null', { principal: () => null }],
    ['principal promises nobody', { principal: () => Promise.resolve(undefined) }],
    ['there is no authentication', {}],
  ];
  test.each(nobodies)('where %s', async (_how, options) => {
    const url = await serve(options);
    const answer = await send(url, call('guarded'));
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer scope="pages:read pages:write"',
    ]);
    expect((await send(url, call('whoami'))).json.result.content[0].text).toBe('nobody');
    const legacy = await LegacyClient.connect(url, '2025-11-25');
    expect((await legacy.call('guarded')).status).toBe(401);
  });

  test('and learns where to get a token, if OAuth is configured', async () => {
    const url = await serve({ oauth: oauth() });
    const { status, headers } = await send(url, call('guarded'));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(`Bearer scope="pages:read pages:write", ${METADATA}`);
  });

  test('while a principal without the scopes is refused', async () => {
    const url = await serve({ principal: () => ({ subject: 'ann', scopes: ['pages:read'] }) });
    const { status, headers } = await send(url, call('guarded'));
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
  });
});

test('a caller that is identified before the endpoint needs no token, and all others need one', async () => {
  const closed = oauthResourceServer({
    resource: 'https://api.example.com/mcp',
    issuers: ['https://login.example.com'],
  });
  const principal = (req: { headers: Record<string, unknown> }): Principal | null =>
    req.headers['x-user'] === undefined ? null : { subject: String(req.headers['x-user']), scopes: [] };
  const url = await serve({ oauth: closed, principal });
  const asAnn = call('whoami', {}, { headers: { 'x-user': 'ann' } });
  expect((await send(url, asAnn)).json.result.content[0].text).toBe('ann');
  const { status, headers } = await send(url, call('whoami'));
  expect([status, headers['www-authenticate']]).toEqual([401, `Bearer ${METADATA}`]);
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', undefined])(
  'a client of HTTP+SSE that sends the revision %s with its GET gets its stream',
  async (version) => {
    const url = await serve({ sse: true });
    const headers = { ...(version && { 'mcp-protocol-version': version }) };
    const stream = await LiveStream.open(url, { method: 'GET', headers });
    const { data } = await stream.event(1);
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await send(url, { path: data, body, headers })).status).toBe(202);
    expect((await stream.event(2)).message).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    stream.close();
  },
);

test.each(['2026-07-28', '1.0.0'])(
  'a GET of the revision %s opens no stream of 2024-11-05',
  async (version) => {
    const url = await serve({ sse: true });
    const { status } = await send(url, { method: 'GET', headers: { 'mcp-protocol-version': version } });
    expect([400, 405]).toContain(status);
  },
);

test('a tool without parameters publishes empty properties', async () => {
  const url = await serve();
  for (const inputSchema of [
    undefined,
    { type: 'object' },
    { type: 'object', additionalProperties: false },
  ]) {
    fixture.server.tools.add({ name: 'none', description: 'None.', inputSchema, handler: () => 'x' });
    const { tools } = (await send(url, modern('tools/list'))).json.result;
    const { inputSchema: published } = tools.find(({ name }: { name: string }) => name === 'none');
    expect(published).toMatchObject({ type: 'object', properties: {} });
    fixture.server.tools.remove('none');
  }
});

test('progress and the answer after it are sent separately, and a stop loses neither', async () => {
  const url = await serve();
  const meta = { progressToken: 1 };
  const stream = await LiveStream.open(url, call('talk', {}, { meta }));
  await stream.event(1);
  await fixture.server.drain();
  await stream.ended();
  expect(stream.events.map(({ message }) => message.method ?? 'answer').at(-1)).toBe('answer');
  const legacy = await serve().then((again) => LegacyClient.connect(again, '2025-11-25'));
  const old = await legacy.streamed('tools/call', { name: 'talk', arguments: {}, _meta: meta });
  await old.event(2);
  await fixture.server.drain();
  await old.ended();
  expect(old.events.map(({ message }) => message?.method ?? 'answer').at(-1)).toBe('answer');
});
