import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { initialize } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import { send } from './support/wire.js';

test('with sessions: false each request stands alone', async () => {
  const { server } = await createFixture({ sessions: false });
  const alone = await serveHttp(server, { port: 0, signals: false });
  const opened = await send(alone.url, { body: initialize('2025-06-18') });
  expect(opened.headers['mcp-session-id']).toBeUndefined();
  const headers = { 'mcp-protocol-version': '2025-06-18' };
  const body = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  expect(
    (await send(alone.url, { headers, body: body('tools/list') })).json.result.tools[1].outputSchema,
  ).toBeDefined();
  expect(
    (await send(alone.url, { body: body('tools/list') })).json.result.tools[1].outputSchema,
  ).toBeUndefined();
  expect(
    (await send(alone.url, { headers, body: body('tools/call', { name: 'ask' }) })).json.error.code,
  ).toBe(-32600);
  const openPage = { name: 'open_page' };
  expect((await send(alone.url, { headers, body: body('tools/call', openPage) })).json.error.code).toBe(
    -32600,
  );
  const newest = { 'mcp-protocol-version': '2025-11-25' };
  const required = await send(alone.url, { headers: newest, body: body('tools/call', openPage) });
  expect([required.status, required.json.error]).toEqual([
    200,
    {
      code: -32042,
      message: expect.any(String),
      data: {
        elicitations: [
          {
            mode: 'url',
            message: expect.any(String),
            url: 'https://example.com/',
            elicitationId: expect.any(String),
          },
        ],
      },
    },
  ]);
  expect(
    (await send(alone.url, { headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } }))
      .status,
  ).toBe(202);
  for (const method of ['GET', 'DELETE']) {
    expect((await send(alone.url, { method, headers })).status).toBe(405);
  }
  await alone.close();
});

test('without sessions, a server lists the versions that it serves', async () => {
  const { server } = await createFixture({ stateful: false });
  const statelessOnly = await serveHttp(server, { port: 0, signals: false });
  const refused = await send(statelessOnly.url, { body: initialize('2025-11-25') });
  expect(refused.status).toBe(400);
  expect(refused.json.error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  });
  expect(
    (await send(statelessOnly.url, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status,
  ).toBe(202);
  expect((await send(statelessOnly.url, { body: { jsonrpc: '2.0', id: 1, result: {} } })).status).toBe(400);
  expect((await send(statelessOnly.url, { method: 'GET' })).headers.allow).toBe('POST');
  await statelessOnly.close();
});

test('2024-11-05 over HTTP+SSE: the stream says where to POST and carries every answer', async () => {
  const { server } = await createFixture();
  const old = await serveHttp(server, { port: 0, signals: false, sse: true });
  const stream = await LiveStream.open(old.url, { method: 'GET' });
  const { event, data } = await stream.event(1);
  expect(event).toBe('endpoint');
  const post = (body: unknown, path = data) => send(old.url, { path, body });
  expect((await post(initialize('2024-11-05'))).status).toBe(202);
  expect((await stream.event(2)).message.result.protocolVersion).toBe('2024-11-05');
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await post({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'old' } },
  });
  expect((await stream.event(3)).message.result.content[0].text).toBe('old');
  expect((await post(initialize('2024-11-05'), '/mcp?sessionId=unknown')).status).toBe(404);
  stream.close();
  await old.close();
});

test('the official v1 client uses the HTTP+SSE of 2024-11-05 with it', async () => {
  const { server } = await createFixture();
  const old = await serveHttp(server, { port: 0, signals: false, sse: true });
  const client = new Client({ name: 'v1', version: '1' });
  await client.connect(new SSEClientTransport(new URL(old.url)));
  const result = await client.callTool({ name: 'echo', arguments: { text: 'old' } });
  expect(result.content).toEqual([{ type: 'text', text: 'old' }]);
  await client.close();
  await old.close();
});
