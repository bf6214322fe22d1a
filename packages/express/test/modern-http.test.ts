import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, envelope, modern, send, type WireRequest } from './support/wire.js';

let service: HttpService;
beforeAll(async () => {
  const { server } = await createFixture();
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

const post = (request: WireRequest) => send(service.url, request);
const raw = (body: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({ body, headers });
const message = (rest: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/list',
  params: { _meta: envelope() },
  ...rest,
});
const listHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

interface Refusal {
  row: string;
  request: WireRequest;
  status: number;
  code: number;
  /** Of the error; undefined: left out. */
  id?: unknown;
}

const bare = modern('tools/list').body as { params: { _meta: Record<string, unknown> } };
const meta = (change: Record<string, unknown>) => modern('tools/list', { meta: change });
const without = (key: string) => {
  const { [key]: _left, ...rest } = bare.params._meta;
  return raw({ ...bare, params: { _meta: rest } }, listHeaders);
};
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]));
const encoded = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

const refusals: Refusal[] = [
  {
    row: 'B1 jsonrpc is not 2.0',
    request: raw(message({ jsonrpc: '1.0' }), listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  ...[null, 1.5, true, {}, [], 2 ** 53].map((id) => ({
    row: `B2 the id ${JSON.stringify(id)} is none`,
    request: raw(message({ id }), listHeaders),
    status: 400,
    code: -32600,
  })),
  { row: 'B8 an empty batch', request: raw([], listHeaders), status: 400, code: -32600 },
  { row: 'B8 a batch of one', request: raw([message({})], listHeaders), status: 400, code: -32600 },
  { row: 'B8 a batch of scalars', request: raw([1]), status: 400, code: -32600 },
  { row: 'B9 no JSON', request: raw('{', listHeaders), status: 400, code: -32700 },
  { row: 'B9 an empty body', request: raw('', listHeaders), status: 400, code: -32700 },
  { row: 'B9 a scalar', request: raw('5', listHeaders), status: 400, code: -32600 },
  {
    row: 'B9 no method',
    request: raw({ jsonrpc: '2.0', id: 7 }, listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  {
    row: 'B9 a method that is no string',
    request: raw(message({ method: 5 }), listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  {
    row: 'B9 params that are an array',
    request: raw(message({ params: [] }), listHeaders),
    status: 400,
    code: -32602,
    id: 7,
  },
  {
    row: 'B7 a response',
    request: raw({ jsonrpc: '2.0', id: 1, result: {} }, listHeaders),
    status: 400,
    code: -32600,
  },
  {
    row: 'B18 nested too deep',
    request: raw(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep(70)}}}`),
    status: 400,
    code: -32600,
    id: 1,
  },
  {
    row: 'B18 nested absurdly deep',
    request: raw(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep(100_000)}}}`),
    status: 400,
    code: -32600,
    id: 1,
  },
  { row: 'B18 too many keys', request: raw(message({ params: { wide } })), status: 400, code: -32600, id: 7 },
  {
    row: 'B9 UTF-8 is broken',
    request: raw(Buffer.from([0x22, 0xc3, 0x28, 0x22]), listHeaders),
    status: 400,
    code: -32700,
  },
  {
    row: 'ME1 no params',
    request: raw(message({ params: undefined }), listHeaders),
    status: 400,
    code: -32602,
    id: 7,
  },
  {
    row: 'ME1 no protocolVersion',
    request: without('io.modelcontextprotocol/protocolVersion'),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME1 no clientCapabilities',
    request: without('io.modelcontextprotocol/clientCapabilities'),
    status: 400,
    code: -32602,
    id: 1,
  },
  ...[5, null, {}].map((version) => ({
    row: `ME1 protocolVersion ${JSON.stringify(version)}`,
    request: meta({ 'io.modelcontextprotocol/protocolVersion': version }),
    status: 400,
    code: -32602,
    id: 1,
  })),
  ...[[], null, 'x'].map((capabilities) => ({
    row: `ME1 clientCapabilities ${JSON.stringify(capabilities)}`,
    request: meta({ 'io.modelcontextprotocol/clientCapabilities': capabilities }),
    status: 400,
    code: -32602,
    id: 1,
  })),
  {
    row: 'ME9 an unknown log level',
    request: meta({ 'io.modelcontextprotocol/logLevel': 'loud' }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME10 a progress token that is an object',
    request: meta({ progressToken: {} }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME11 an envelope in __proto__',
    request: raw(
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"__proto__":${JSON.stringify(envelope())}}}}`,
      listHeaders,
    ),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'V2 a version that is not served',
    request: modern('tools/list', {
      meta: { 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' },
      headers: { 'mcp-protocol-version': 'v999.0.0' },
    }),
    status: 400,
    code: -32022,
    id: 1,
  },
  {
    row: 'H15 an unserved version in the header alone',
    request: raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-protocol-version': 'v999.0.0' }),
    status: 400,
    code: -32022,
    id: 1,
  },
  {
    row: 'H7 the version header is missing',
    request: modern('tools/list', { headers: { 'mcp-protocol-version': undefined } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H7 the version header is empty',
    request: modern('tools/list', { headers: { 'mcp-protocol-version': '' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H7 the version header differs',
    request: modern('tools/list', { headers: { 'mcp-protocol-version': '2025-11-25' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H8 Mcp-Method is missing',
    request: modern('tools/list', { headers: { 'mcp-method': undefined } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H8 Mcp-Method has another case',
    request: modern('tools/list', { headers: { 'mcp-method': 'Tools/List' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H8 Mcp-Method is never decoded',
    request: modern('tools/list', { headers: { 'mcp-method': encoded('tools/list') } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H9 Mcp-Name is missing',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': undefined } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H9 Mcp-Name differs',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': 'add' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H9 Mcp-Name is missing for a resource',
    request: modern('resources/read', {
      params: { uri: 'test://plain' },
      headers: { 'mcp-name': undefined },
    }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H10 Mcp-Name has another case',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': 'ECHO' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H11 broken padding',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': '=?base64?ZWNobw?=' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H11 foreign characters',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': '=?base64?ZW!obw==?=' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H11 base64 of broken UTF-8',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': '=?base64?wyg=?=' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H11 upper-case markers are literal',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': '=?BASE64?ZWNobw==?=' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H13 a mirrored string is missing',
    request: call('mirrored', { s: 'x' }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H13 an empty string is a value',
    request: call('mirrored', { s: '' }),
    status: 400,
    code: -32020,
    id: 1,
  },
  { row: 'H13 false is a value', request: call('mirrored', { b: false }), status: 400, code: -32020, id: 1 },
  { row: 'H13 zero is a value', request: call('mirrored', { n: 0 }), status: 400, code: -32020, id: 1 },
  {
    row: 'H13 a mirrored string differs',
    request: call('mirrored', { s: 'x' }, { headers: { 'mcp-param-s': 'y' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H13 a nested value differs',
    request: call('mirrored', { nested: { t: 'x' } }, { headers: { 'mcp-param-t': 'y' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H13 a boolean differs',
    request: call('mirrored', { b: true }, { headers: { 'mcp-param-b': 'True' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H13 a mirrored value cannot be decoded',
    request: call('mirrored', { s: 'x' }, { headers: { 'mcp-param-s': '=?base64?eA?=' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    row: 'H14 raw Latin-1',
    request: call('mirrored', { s: 'é' }, { headers: { 'mcp-param-s': 'é' } }),
    status: 400,
    code: -32020,
    id: 1,
  },
  ...[
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
    'unknown/method',
    '__proto__',
    'constructor',
  ].map((method) => ({ row: `V7 ${method}`, request: modern(method), status: 404, code: -32601, id: 1 })),
  { row: 'T4 an unknown tool', request: call('ecko'), status: 200, code: -32602, id: 1 },
  { row: 'T4 a tool named __proto__', request: call('__proto__'), status: 200, code: -32602, id: 1 },
  {
    row: 'T4 a name that is no string',
    request: modern('tools/call', { params: { name: 5 }, headers: { 'mcp-name': '5' } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'T4 arguments that are an array',
    request: modern('tools/call', { params: { name: 'echo', arguments: [] } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'R2 an unknown resource',
    request: modern('resources/read', { params: { uri: 'test://nowhere' } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'R3 a resource that breaks',
    request: modern('resources/read', { params: { uri: 'test://broken' } }),
    status: 200,
    code: -32603,
    id: 1,
  },
  {
    row: 'P2 an unknown prompt',
    request: modern('prompts/get', { params: { name: 'great' } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'P2 a missing argument',
    request: modern('prompts/get', { params: { name: 'greet' } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'P2 an argument that is no string',
    request: modern('prompts/get', { params: { name: 'greet', arguments: { who: 5 } } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'C3 an unknown reference',
    request: modern('completion/complete', {
      params: { ref: { type: 'ref/x' }, argument: { name: 'a', value: '' } },
    }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'C3 a missing argument',
    request: modern('completion/complete', { params: { ref: { type: 'ref/prompt', name: 'greet' } } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  ...[5, null, '', 'garbage', Buffer.from('["tools","nobody"]').toString('base64url')].map((cursor) => ({
    row: `PG1 the cursor ${JSON.stringify(cursor)}`,
    request: modern('tools/list', { params: { cursor } }),
    status: 200,
    code: -32602,
    id: 1,
  })),
  { row: 'L1 no filter', request: modern('subscriptions/listen'), status: 200, code: -32602, id: 1 },
  {
    row: 'L1 a filter of the wrong type',
    request: modern('subscriptions/listen', { params: { notifications: { toolsListChanged: 'yes' } } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'L1 URIs of the wrong type',
    request: modern('subscriptions/listen', { params: { notifications: { resourceSubscriptions: [1] } } }),
    status: 200,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME3 a capability found missing in the method',
    request: call('sample'),
    status: 400,
    code: -32021,
    id: 1,
  },
  {
    row: 'MR3 url mode was not declared',
    request: call('open_page', {}, { capabilities: { elicitation: {} } }),
    status: 400,
    code: -32021,
    id: 1,
  },
];

test.each(refusals)('$row is refused with $status and $code', async ({ request, status, code, id }) => {
  const answer = await post(request);
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
  expect(answer.json.error.message).toEqual(expect.any(String));
  expect(Object.hasOwn(answer.json, 'id') ? answer.json.id : undefined).toEqual(id);
});

const served: { row: string; request: WireRequest; text?: string }[] = [
  { row: 'B3 an empty id', request: modern('tools/list', { id: '' }) },
  { row: 'B3 the id 0', request: modern('tools/list', { id: 0 }) },
  { row: 'B18 unknown members', request: raw({ ...bare, extra: 1 }, listHeaders) },
  { row: 'ME2 no clientInfo', request: modern('tools/list') },
  { row: 'ME8 garbage in trace context', request: meta({ traceparent: 'x', tracestate: 5, baggage: {} }) },
  {
    row: 'H10 header names in any case',
    request: raw(bare, { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'MCP-method': 'tools/list' }),
  },
  {
    row: 'H10 a padded Mcp-Name',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': '  echo ' } }),
    text: 'x',
  },
  {
    row: 'H11 an encoded Mcp-Name',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-name': encoded('echo') } }),
    text: 'x',
  },
  { row: 'H13 nothing to mirror', request: call('mirrored'), text: '{}' },
  { row: 'H13 null is nothing', request: call('echo', { text: 'x' }), text: 'x' },
  {
    row: 'H13 integers compare as numbers',
    request: call('mirrored', { n: 42 }, { headers: { 'mcp-param-n': '42.0' } }),
    text: '{"n":42}',
  },
  {
    row: 'H13 encoded values',
    request: call('mirrored', { s: 'é' }, { headers: { 'mcp-param-s': encoded('é') } }),
    text: '{"s":"é"}',
  },
  {
    row: 'H14 foreign Mcp-Param headers',
    request: call('echo', { text: 'x' }, { headers: { 'mcp-param-other': 'é' } }),
    text: 'x',
  },
  {
    row: 'H6 whatever Accept says',
    request: call('echo', { text: 'x' }, { headers: { accept: 'text/html' } }),
    text: 'x',
  },
  {
    row: 'H21 a session id',
    request: call(
      'echo',
      { text: 'x' },
      { headers: { 'mcp-session-id': '__proto__', 'last-event-id': '1' } },
    ),
    text: 'x',
  },
  {
    row: 'H23 parameters of the media type',
    request: call('echo', { text: 'x' }, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
    text: 'x',
  },
];

test.each(served)('$row is served', async ({ request, text }) => {
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

test('V1 server/discover tells versions, capabilities and instructions', async () => {
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

test('V2 an unsupported version is told which are supported and what was asked for', async () => {
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

test('T5 wrong arguments and failing tools are results that a model can read', async () => {
  const wrong = await post(call('echo', { text: 5 }));
  expect(wrong.json.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('text') }],
  });
  const failed = await post(call('fail'));
  expect(failed.json.result.isError).toBe(true);
  expect(failed.text).not.toContain('secret-canary');
});

test('T4 an unknown tool is answered with the nearest name', async () => {
  expect((await post(call('ecko'))).json.error.message).toContain("Did you mean 'echo'?");
});

test('R2 an unknown resource is named', async () => {
  const { json } = await post(modern('resources/read', { params: { uri: 'test://nowhere' } }));
  expect(json.error.data).toEqual({ uri: 'test://nowhere' });
});

test('R4 a template is matched and its variables decoded', async () => {
  const { json } = await post(modern('resources/read', { params: { uri: 'test://pages/a%20b' } }));
  expect(json.result.contents).toEqual([
    { uri: 'test://pages/a%20b', mimeType: 'application/json', text: '{"id":"a b"}' },
  ]);
});

test('C2 completions are cut at a hundred and see the other arguments', async () => {
  const ask = (ref: object, name: string, context?: object) =>
    post(
      modern('completion/complete', {
        params: { ref, argument: { name, value: 'v' }, ...(context && { context }) },
      }),
    );
  const many = await ask({ type: 'ref/resource', uri: 'test://pages/{id}' }, 'id');
  expect(many.json.result.completion).toMatchObject({ total: 150, hasMore: true });
  expect(many.json.result.completion.values).toHaveLength(100);
  const one = await ask({ type: 'ref/prompt', name: 'greet' }, 'who', { arguments: { how: 'loud' } });
  expect(one.json.result.completion).toEqual({ values: ['v-loud'], total: 1, hasMore: false });
});

test('PR1, LG2, H18 and H19: what is said before the answer comes on its stream, only what was asked for', async () => {
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

test('LG2 nobody who did not ask gets log messages or progress', async () => {
  const answer = await post(call('talk'));
  expect(answer.headers['content-type']).toBe('application/json');
});

test.each([
  ['notifications/cancelled', { requestId: 1 }, 202],
  ['notifications/unknown', {}, 202],
  ['notifications/cancelled', { requestId: {} }, 202],
])('B6 and H5: the notification %s is taken without a word', async (method, params, status) => {
  const answer = await post(
    raw(
      { jsonrpc: '2.0', method, params: { ...params, _meta: envelope() } },
      { 'mcp-protocol-version': '2026-07-28' },
    ),
  );
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: '' });
});

test('PG1 pages follow each other without gaps', async () => {
  const { server } = await createFixture({ pageSize: 4 });
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
