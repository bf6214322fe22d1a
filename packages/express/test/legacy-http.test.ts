import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { initialize, LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import { call, envelope, send } from './support/wire.js';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

let fixture: Fixture;
let service: HttpService;
beforeAll(async () => {
  fixture = await createFixture();
  service = await serveHttp(fixture.server, {
    port: 0,
    signals: false,
    principal: (req) =>
      req.headers['x-user'] ? { subject: String(req.headers['x-user']), scopes: [] } : undefined,
  });
});
afterAll(() => service.close());

const connect = (revision = '2025-11-25', options: Parameters<typeof LegacyClient.connect>[2] = {}) =>
  LegacyClient.connect(service.url, revision, options);

test.each(legacy)('%s: initialize agrees on it and tells what the revision knows', async (revision) => {
  const { welcome, session } = await connect(revision);
  expect(session).toMatch(/^[\x21-\x7e]{32}$/);
  expect(welcome).toMatchObject({ protocolVersion: revision, instructions: 'Use with care.' });
  expect(welcome['serverInfo']).toEqual({
    name: 'fixture',
    version: '1.0.0',
    ...(revision >= '2025-06-18' && { title: 'Fixture' }),
  });
  expect('completions' in (welcome['capabilities'] as object)).toBe(revision >= '2025-03-26');
  expect(welcome).not.toHaveProperty('resultType');
});

test.each(['2026-07-28', '1999-01-01', 'x'])(
  'initialize for %s is met with the newest that has it',
  async (version) => {
    const answer = await send(service.url, { body: initialize(version) });
    expect(answer.json.result.protocolVersion).toBe('2025-11-25');
  },
);

test.each([{}, { protocolVersion: 5 }, { protocolVersion: '2025-11-25' }])(
  'initialize with %j is refused',
  async (params) => {
    const answer = await send(service.url, { body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
    expect(answer.json).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  },
);

test('initialize with a modern header and no envelope is refused', async () => {
  const answer = await send(service.url, {
    body: initialize('2025-11-25'),
    headers: { 'mcp-protocol-version': '2026-07-28' },
  });
  expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status: 400, code: -32020 });
});

test('A second initialize in a session is refused', async () => {
  const client = await connect();
  expect((await client.post(initialize('2025-11-25'))).json.error.code).toBe(-32600);
});

test.each(legacy)('%s: empty results are exactly {}', async (revision) => {
  const client = await connect(revision);
  const empty = [
    client.request('ping'),
    client.request('logging/setLevel', { level: 'error' }),
    client.request('resources/subscribe', { uri: 'test://plain' }),
    client.request('resources/unsubscribe', { uri: 'test://plain' }),
  ];
  for (const answer of await Promise.all(empty))
    expect([answer.status, answer.json.result]).toEqual([200, {}]);
});

test.each(legacy)('%s: definitions are narrowed to what the revision knows', async (revision) => {
  const client = await connect(revision);
  const { result } = (await client.request('tools/list')).json;
  expect(Object.keys(result)).toEqual(['tools']);
  const [echo, add, count] = result.tools;
  expect('annotations' in echo).toBe(revision >= '2025-03-26');
  expect('title' in echo).toBe(revision >= '2025-06-18');
  expect('_meta' in echo).toBe(revision >= '2025-06-18');
  expect('icons' in echo).toBe(revision >= '2025-11-25');
  expect('outputSchema' in add).toBe(revision >= '2025-06-18');
  if (revision >= '2025-06-18') {
    expect(count.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'integer' } },
      required: ['result'],
    });
  }
});

test.each(legacy)('%s: results are narrowed to what the revision knows', async (revision) => {
  const client = await connect(revision);
  const { result } = (await client.call('mixed')).json;
  const types = result.content.map(({ type }: { type: string }) => type);
  expect(types).toEqual([
    'text',
    'image',
    revision >= '2025-03-26' ? 'audio' : 'text',
    revision >= '2025-06-18' ? 'resource_link' : 'text',
    'resource',
  ]);
  expect('lastModified' in result.content[0].annotations).toBe(revision >= '2025-06-18');
  const sum = (await client.call('add', { a: 1, b: 2 })).json.result;
  expect(sum.structuredContent).toEqual(revision >= '2025-06-18' ? { sum: 3 } : undefined);
  const counted = (await client.call('count')).json.result;
  expect(counted.structuredContent).toEqual(revision >= '2025-06-18' ? { result: 3 } : undefined);
  for (const each of [result, sum, counted]) expect(each).not.toHaveProperty('resultType');
});

test.each(legacy)('%s: errors keep status 200 and the older codes', async (revision) => {
  const client = await connect(revision);
  const cases = [
    ['resources/read', { uri: 'test://nowhere' }, -32002],
    ['unknown/method', {}, -32601],
    ['server/discover', {}, -32601],
    ['subscriptions/listen', {}, -32601],
    ['tools/call', { name: 'ecko' }, -32602],
    ['tools/list', { cursor: 5 }, -32602],
    ['logging/setLevel', { level: 'loud' }, -32602],
    ['resources/subscribe', {}, -32602],
    ['tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: { progressToken: {} } }, -32602],
  ] as const;
  for (const [method, params, code] of cases) {
    const answer = await client.request(method, params, 'an id');
    expect({ status: answer.status, id: answer.json.id, code: answer.json.error.code, method }).toEqual({
      status: 200,
      id: 'an id',
      code,
      method,
    });
  }
});

test('Without a session there is 400, with an unknown one 404', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await send(service.url, { body: list })).status).toBe(400);
  for (const session of ['unknown', '__proto__', 'constructor', '']) {
    expect((await send(service.url, { body: list, headers: { 'mcp-session-id': session } })).status).toBe(
      404,
    );
  }
});

test('Someone else’s session is an unknown one', async () => {
  const client = await connect('2025-11-25', { headers: { 'x-user': 'ada' } });
  const steal = (headers: Record<string, string>) =>
    send(service.url, {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { ...client.headers, ...headers },
    });
  expect((await steal({})).status).toBe(200);
  const stolen = await steal({ 'x-user': 'eve' });
  const unknown = await steal({ 'mcp-session-id': 'unknown' });
  expect([stolen.status, stolen.text]).toEqual([404, unknown.text]);
  for (const method of ['GET', 'DELETE']) {
    expect(
      (await send(service.url, { method, headers: { ...client.headers, 'x-user': 'eve' } })).status,
    ).toBe(404);
  }
});

test('DELETE ends a session for good', async () => {
  const client = await connect();
  expect((await send(service.url, { method: 'DELETE', headers: client.headers })).status).toBe(200);
  expect((await client.request('ping')).status).toBe(404);
  expect((await send(service.url, { method: 'DELETE', headers: client.headers })).status).toBe(404);
});

test('A version header that is no version is refused', async () => {
  const client = await connect();
  expect(
    (await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': '1.0.0' }))
      .status,
  ).toBe(400);
});

test('Notifications and responses are taken with 202', async () => {
  const client = await connect();
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', id: 'nobody asked', result: {} },
    { jsonrpc: '2.0', id: 5, error: { code: -1, message: 'no' } },
  ]) {
    const answer = await client.post(body);
    expect([answer.status, answer.text]).toEqual([202, '']);
  }
});

test('2025-03-26 alone takes batches; initialize may not be in one', async () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
    initialize('2025-03-26', {}, 'c'),
    { jsonrpc: '1.0', id: 'd', method: 'ping' },
  ];
  const client = await connect('2025-03-26');
  const answer = await client.post(batch);
  expect(
    answer.json.map((each: { id: unknown; error?: { code: number } }) => [each.id, each.error?.code]),
  ).toEqual([
    [1, undefined],
    ['b', undefined],
    ['c', -32601],
    ['d', -32600],
  ]);
  expect((await client.post([{ jsonrpc: '2.0', method: 'notifications/unknown' }])).status).toBe(202);
  expect((await client.post([])).status).toBe(400);
  for (const revision of ['2025-06-18', '2025-11-25']) {
    expect((await (await connect(revision)).post(batch)).status).toBe(400);
  }
  const claimed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } };
  expect((await client.post([claimed])).json.error.code).toBe(-32600);
});

test('A live session beside a valid envelope is left alone', async () => {
  const client = await connect();
  const request = call('echo', { text: 'x' });
  const answer = await send(service.url, {
    ...request,
    headers: { ...request.headers, 'mcp-session-id': client.session },
  });
  expect(answer.json.result.resultType).toBe('complete');
  expect(answer.headers['mcp-session-id']).toBeUndefined();
});

test('Progress and logs come on the stream of their request, at the level that was set', async () => {
  const client = await connect();
  await client.request('logging/setLevel', { level: 'error' });
  const answer = await client.call('talk', {}, { progressToken: 't' });
  const told = answer.events
    .filter(Boolean)
    .map(({ method, params, result }) =>
      method ? [method, params.progress ?? params.level] : result.content[0].text,
    );
  expect(told).toEqual([
    ['notifications/progress', 1],
    ['notifications/progress', 2],
    ['notifications/message', 'error'],
    'said',
  ]);
});

test('2024-11-05 has no message in its progress', async () => {
  const answer = await (await connect('2024-11-05')).call('talk', {}, { progressToken: 't' });
  const progress = answer.events.filter(Boolean).filter(({ method }) => method === 'notifications/progress');
  expect(progress[0].params).toEqual({ progressToken: 't', progress: 1, total: 2 });
});

test.each(['2025-06-18', '2025-11-25'])(
  '%s: a question is a request on the call’s own stream, answered by another POST',
  async (revision) => {
    const client = await connect(revision, { capabilities: { elicitation: {} } });
    const stream = await client.streamed('tools/call', { name: 'ask' });
    const at = revision === '2025-11-25' ? 2 : 1;
    const { message } = await stream.event(at);
    expect(message).toMatchObject({
      method: 'elicitation/create',
      id: expect.any(String),
      params: { message: 'Who?' },
    });
    await client.post({
      jsonrpc: '2.0',
      id: message.id,
      result: { action: 'accept', content: { name: 'Ada' } },
    });
    expect((await stream.event(at + 1)).message.result.content[0].text).toBe('Hello, Ada!');
    await stream.ended();
  },
);

test('A question that the client refuses is a failure that the model can read', async () => {
  const client = await connect('2025-11-25', { capabilities: { sampling: {} } });
  const stream = await client.streamed('tools/call', { name: 'sample' });
  const { message } = await stream.event(2);
  await client.post({ jsonrpc: '2.0', id: message.id, error: { code: -1, message: 'User rejected' } });
  const { result } = (await stream.event(3)).message;
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('User rejected') }],
  });
});

test('Url questions carry an id of their own on 2025-11-25 and do not exist before', async () => {
  const capabilities = { elicitation: { form: {}, url: {} } };
  const client = await connect('2025-11-25', { capabilities });
  const stream = await client.streamed('tools/call', { name: 'open_page' });
  const { message } = await stream.event(2);
  expect(message.params).toMatchObject({
    mode: 'url',
    url: 'https://example.com/',
    elicitationId: expect.any(String),
  });
  await client.post({ jsonrpc: '2.0', id: message.id, result: { action: 'accept' } });
  await stream.ended();
  const older = await connect('2025-06-18', { capabilities });
  expect((await older.call('open_page')).json.error).toBeDefined();
});

test.each(['2024-11-05', '2025-03-26'])(
  '%s has no elicitation, whatever the client declares',
  async (revision) => {
    const client = await connect(revision, { capabilities: { elicitation: {} } });
    expect((await client.call('ask')).json.error.code).toBe(-32600);
  },
);

test('notifications/cancelled stops a call without an answer; a disconnect does not', async () => {
  const client = await connect();
  const cancelled = client.request('tools/call', { name: 'hold', arguments: { gate: 'cancel' } }, 'c');
  await until(() => fixture.gates.entered.includes('cancel'));
  await client.notify('notifications/cancelled', { requestId: 'unknown' });
  await client.notify('notifications/cancelled', { requestId: 'c' });
  const answer = await cancelled;
  expect(fixture.gates.aborted).toContain('cancel');
  expect(answer.events.filter(Boolean)).toEqual([]);
  const left = await client.streamed('tools/call', { name: 'ask' }).catch(() => undefined);
  left?.close();
});

test('list_changed and updates come on the GET stream', async () => {
  const client = await connect();
  const stream = await client.stream();
  await client.request('resources/subscribe', { uri: 'test://plain' });
  fixture.server.tools.add({ name: 'added', description: 'Added.', handler: () => 'x' });
  expect((await stream.event(1)).message).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
  });
  fixture.server.resourceUpdated('test://other');
  fixture.server.resourceUpdated('test://plain');
  expect((await stream.event(2)).message).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri: 'test://plain' },
  });
  fixture.server.tools.remove('added');
  await stream.event(3);
  stream.close();
});

test('A broken stream is resumed where it broke, by its own session alone', async () => {
  const client = await connect();
  const first = await client.stream();
  fixture.server.tools.add({ name: 'one', description: 'One.', handler: () => 'x' });
  const { id } = await first.event(1);
  first.close();
  await until(() => first.events.length === 1);
  fixture.server.tools.remove('one');
  const second = await client.stream({ 'last-event-id': id! });
  const { id: next, message } = await second.event(1);
  expect(message.method).toBe('notifications/tools/list_changed');
  expect(next).not.toBe(id);
  second.close();
  const stranger = await connect();
  const foreign = await stranger.stream({ 'last-event-id': id! });
  fixture.server.resourceUpdated('test://nobody');
  fixture.server.tools.add({ name: 'two', description: 'Two.', handler: () => 'x' });
  await foreign.event(1);
  expect(foreign.events).toHaveLength(1);
  fixture.server.tools.remove('two');
  foreign.close();
});

test('The stream of a call outlives its connection: the answer waits for who resumes it', async () => {
  const client = await connect('2025-11-25', { capabilities: { elicitation: {} } });
  const stream = await client.streamed('tools/call', { name: 'ask' }, 'r');
  const primed = await stream.event(1);
  expect(primed).toMatchObject({ data: '', id: expect.any(String) });
  expect(stream.text).toContain('retry: ');
  const { message } = await stream.event(2);
  stream.close();
  await client.post({ jsonrpc: '2.0', id: message.id, result: { action: 'decline' } });
  const resumed = await client.stream({ 'last-event-id': primed.id! });
  expect((await resumed.event(1)).message.id).toBe(message.id);
  expect((await resumed.event(2)).message).toMatchObject({
    id: 'r',
    result: { content: [{ text: 'decline' }] },
  });
  await resumed.ended();
});

test('GET without a session is no stream', async () => {
  expect((await send(service.url, { method: 'GET' })).status).toBe(405);
  expect(
    (await send(service.url, { method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } })).status,
  ).toBe(400);
});

test('sessions: false answers each request for itself', async () => {
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
  expect(
    (await send(alone.url, { headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } }))
      .status,
  ).toBe(202);
  for (const method of ['GET', 'DELETE']) {
    expect((await send(alone.url, { method, headers })).status).toBe(405);
  }
  await alone.close();
});

test('legacy: false names the versions that are served', async () => {
  const { server } = await createFixture({ legacy: false });
  const modernOnly = await serveHttp(server, { port: 0, signals: false });
  const refused = await send(modernOnly.url, { body: initialize('2025-11-25') });
  expect(refused.status).toBe(400);
  expect(refused.json.error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  });
  expect(
    (await send(modernOnly.url, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status,
  ).toBe(202);
  expect((await send(modernOnly.url, { body: { jsonrpc: '2.0', id: 1, result: {} } })).status).toBe(400);
  expect((await send(modernOnly.url, { method: 'GET' })).headers.allow).toBe('POST');
  await modernOnly.close();
});

test('Sessions end when unused and give way when there are too many', async () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  const { server } = await createFixture({ sessions: { max: 2, idleMs: 1000 }, clock, timeout: false });
  const small = await serveHttp(server, { port: 0, signals: false });
  const [one, two] = [
    await LegacyClient.connect(small.url, '2025-11-25'),
    await LegacyClient.connect(small.url, '2025-11-25'),
  ];
  await one!.request('ping');
  await LegacyClient.connect(small.url, '2025-11-25');
  expect((await two!.request('ping')).status).toBe(404);
  expect((await one!.request('ping')).status).toBe(200);
  now = 1001;
  expect((await one!.request('ping')).status).toBe(404);
  await small.close();
});

test('2024-11-05 over HTTP+SSE: the stream tells where to POST and carries every answer', async () => {
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

test('The official v1 client speaks the HTTP+SSE of 2024-11-05 with it', async () => {
  const { server } = await createFixture();
  const old = await serveHttp(server, { port: 0, signals: false, sse: true });
  const client = new Client({ name: 'v1', version: '1' });
  await client.connect(new SSEClientTransport(new URL(old.url)));
  const result = await client.callTool({ name: 'echo', arguments: { text: 'old' } });
  expect(result.content).toEqual([{ type: 'text', text: 'old' }]);
  await client.close();
  await old.close();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
