import { serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { useFixture } from './support/serve-fixture.js';
import { bare, encoded, listHeaders, meta, raw } from './support/refusals.js';
import { call, envelope, modern, send, type WireRequest } from './support/wire.js';

const service = useFixture();

const post = (request: WireRequest) => send(service.url, request);

const named = (name: string) => call('echo', { text: 'x' }, { headers: { 'mcp-name': name } });
const echoed = (headers: Record<string, string>) => call('echo', { text: 'x' }, { headers });

type Served = [row: string, request: WireRequest, text?: string];
const served: Served[] = [
  ['B3 an empty id', modern('tools/list', { id: '' })],
  ['B3 the id 0', modern('tools/list', { id: 0 })],
  ['B18 unknown members', raw({ ...bare, extra: 1 }, listHeaders)],
  ['ME8 garbage in trace context', meta({ traceparent: 'x', tracestate: 5, baggage: {} })],
  [
    'H10 header names in any case',
    raw(bare, { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'MCP-method': 'tools/list' }),
  ],
  ['H10 a padded Mcp-Name', named('  echo '), 'x'],
  ['H11 an encoded Mcp-Name', named(encoded('echo')), 'x'],
  ['H13 nothing to mirror', call('mirrored'), '{}'],
  [
    'H13 integers compare as numbers',
    call('mirrored', { n: 42 }, { headers: { 'mcp-param-n': '42.0' } }),
    '{"n":42}',
  ],
  [
    'H13 encoded values',
    call('mirrored', { s: 'é' }, { headers: { 'mcp-param-s': encoded('é') } }),
    '{"s":"é"}',
  ],
  ['H14 foreign Mcp-Param headers', echoed({ 'mcp-param-other': 'é' }), 'x'],
  ['H6 whatever Accept says', echoed({ accept: 'text/html' }), 'x'],
  ['H21 a session id', echoed({ 'mcp-session-id': '__proto__', 'last-event-id': '1' }), 'x'],
  ['H23 parameters of the media type', echoed({ 'content-type': 'Application/JSON; charset=utf-8' }), 'x'],
];

test.each(served)('%s is served', async (...[, request, text]: Served) => {
  const answer = await post(request);
  expect(answer.status).toBe(200);
  expect(answer.json.result).toMatchObject({ resultType: 'complete' });
  expect(answer.json.id).toBe((request.body as { id: unknown }).id);
  expect(answer.headers['mcp-session-id']).toBeUndefined();
  expect(answer.json.result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({
    name: 'fixture',
    version: '1.0.0',
  });
  if (text !== undefined) expect(answer.json.result.content).toEqual([{ type: 'text', text }]);
});

test('V1 server/discover returns versions, capabilities and instructions', async () => {
  const { json } = await post(modern('server/discover'));
  expect(json.result).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    instructions: 'Use with care.',
    ttlMs: 0,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fixture', version: '1.0.0', title: 'Fixture' } },
  });
});

test('V2 the answer to an unsupported version lists the supported ones and the requested one', async () => {
  const version = 'v999.0.0';
  const { json } = await post(
    modern('tools/list', {
      meta: { 'io.modelcontextprotocol/protocolVersion': version },
      headers: { 'mcp-protocol-version': version },
    }),
  );
  expect(json.error.data).toEqual({ supported: ['2026-07-28'], requested: version });
});

test('K1 lists and reads carry cache hints, calls do not', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    expect((await post(modern(method))).json.result).toMatchObject({ ttlMs: 0, cacheScope: 'public' });
  }
  const read = await post(modern('resources/read', { params: { uri: 'test://plain' } }));
  expect(read.json.result).toMatchObject({
    ttlMs: 0,
    cacheScope: 'private',
    contents: [{ uri: 'test://plain', text: 'plain' }],
  });
  expect((await post(call('echo', { text: 'x' }))).json.result).not.toHaveProperty('ttlMs');
});

test('T5 wrong arguments and failing tools give results that a model can read', async () => {
  const wrong = await post(call('echo', { text: 5 }));
  expect(wrong.json.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('text') }],
  });
  const failed = await post(call('fail'));
  expect(failed.json.result.isError).toBe(true);
  expect(failed.text).not.toContain('secret-canary');
});

test('T4 the answer for an unknown tool names the nearest one', async () => {
  expect((await post(call('ecko'))).json.error.message).toContain("Did you mean 'echo'?");
});

test('R2 the answer for an unknown resource names it', async () => {
  const { json } = await post(modern('resources/read', { params: { uri: 'test://nowhere' } }));
  expect(json.error.data).toEqual({ uri: 'test://nowhere' });
});

test('R4 a template is matched and its variables decoded', async () => {
  const { json } = await post(modern('resources/read', { params: { uri: 'test://pages/a%20b' } }));
  expect(json.result.contents).toEqual([
    { uri: 'test://pages/a%20b', mimeType: 'application/json', text: '{"id":"a b"}' },
  ]);
});

test('PR1, LG2, H18 and H19: messages before the answer are on its stream, if they were requested', async () => {
  const answer = await post(
    call('talk', {}, { meta: { progressToken: 0, 'io.modelcontextprotocol/logLevel': 'error' } }),
  );
  expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(answer.headers['cache-control']).toContain('no-transform');
  expect(answer.text).not.toMatch(/^id:/m);
  expect(answer.events.map(({ method, params }) => [method, params?.progress ?? params?.level])).toEqual([
    ['notifications/progress', 1],
    ['notifications/progress', 2],
    ['notifications/message', 'error'],
    [undefined, undefined],
  ]);
  expect(answer.events[0].params.progressToken).toBe(0);
  expect(answer.events.at(-1).result.resultType).toBe('complete');
});

test('LG2 log messages and progress are only sent if they were requested', async () => {
  const answer = await post(call('talk'));
  expect(answer.headers['content-type']).toBe('application/json');
});

test.each([
  ['notifications/cancelled', { requestId: 1 }, 202],
  ['notifications/unknown', {}, 202],
  ['notifications/cancelled', { requestId: {} }, 202],
])('B6 and H5: the notification %s is accepted without an answer', async (method, params, status) => {
  const answer = await post(
    raw(
      { jsonrpc: '2.0', method, params: { ...params, _meta: envelope() } },
      { 'mcp-protocol-version': '2026-07-28' },
    ),
  );
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: '' });
});

test('PG1 pages follow each other without gaps', async () => {
  const { server } = await createFixture({ lists: { pageSize: 4 } });
  const paged = await serveHttp(server, { port: 0, signals: false });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { json } = await send(
      paged.url,
      modern('tools/list', { params: cursor === undefined ? {} : { cursor } }),
    );
    expect(json.result.tools.length).toBeLessThanOrEqual(4);
    names.push(...json.result.tools.map((tool: { name: string }) => tool.name));
    cursor = json.result.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(server.tools.list().map(({ name }) => name));
  const foreign = await send(
    paged.url,
    modern('prompts/list', { params: { cursor: Buffer.from('["tools","echo"]').toString('base64url') } }),
  );
  expect(foreign.json.error.code).toBe(-32602);
  await paged.close();
});
