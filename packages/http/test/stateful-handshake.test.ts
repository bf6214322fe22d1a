import { initialize } from './support/legacy-client.js';
import { useLegacyService } from './support/legacy-service.js';
import { call, envelope, send } from './support/wire.js';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const { served, connect } = useLegacyService();

test.each(legacy)('%s: initialize agrees on it and returns what the revision has', async (revision) => {
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

test('initialize with a modern header and no envelope is refused', async () => {
  const answer = await send(served.url, {
    body: initialize('2025-11-25'),
    headers: { 'mcp-protocol-version': '2026-07-28' },
  });
  expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status: 400, code: -32020 });
});

test('initialize opens another session, whatever session the client still names', async () => {
  const client = await connect();
  const before = await client.request('ping');
  const again = await client.post(initialize('2025-06-18'), { 'mcp-protocol-version': '2025-11-25' });
  expect([before.status, again.status, again.json.result.protocolVersion]).toEqual([200, 200, '2025-06-18']);
  const fresh = String(again.headers['mcp-session-id']);
  expect(fresh).toMatch(/^[\x21-\x7e]+$/);
  expect(fresh).not.toBe(client.session);
  expect(
    (await client.post({ jsonrpc: '2.0', id: 9, method: 'ping' }, { 'mcp-session-id': fresh })).status,
  ).toBe(200);
  // What still runs in the former session may end.
  expect((await client.request('ping')).status).toBe(200);
  const unknown = await client.post(initialize('2025-11-25'), { 'mcp-session-id': 'gone' });
  expect(unknown.status).toBe(200);
});

test('without a session the answer is 400, with an unknown one 404', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await send(served.url, { body: list })).status).toBe(400);
  for (const session of ['unknown', '__proto__', 'constructor', '']) {
    expect((await send(served.url, { body: list, headers: { 'mcp-session-id': session } })).status).toBe(404);
  }
});

test('the session of another caller counts as unknown', async () => {
  const client = await connect('2025-11-25', { headers: { 'x-user': 'ada' } });
  const steal = (headers: Record<string, string>) =>
    send(served.url, {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { ...client.headers, ...headers },
    });
  expect((await steal({})).status).toBe(200);
  const stolen = await steal({ 'x-user': 'eve' });
  const unknown = await steal({ 'mcp-session-id': 'unknown' });
  expect([stolen.status, stolen.text]).toEqual([404, unknown.text]);
  for (const method of ['GET', 'DELETE']) {
    expect((await send(served.url, { method, headers: { ...client.headers, 'x-user': 'eve' } })).status).toBe(
      404,
    );
  }
});

test('DELETE ends a session for good', async () => {
  const client = await connect();
  expect((await send(served.url, { method: 'DELETE', headers: client.headers })).status).toBe(200);
  expect((await client.request('ping')).status).toBe(404);
  expect((await send(served.url, { method: 'DELETE', headers: client.headers })).status).toBe(404);
});

test('a version header that is not a version is refused', async () => {
  const client = await connect();
  expect(
    (await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': '1.0.0' }))
      .status,
  ).toBe(400);
});

test('only 2025-03-26 accepts batches, and initialize must not be in one', async () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', method: 'notifications/unknown', params: ['by position'] },
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

test('the size of a session and of a batch is limited', async () => {
  const fat = { experimental: { x: { y: 'x'.repeat(20_000) } } };
  const refused = await send(served.url, { body: initialize('2025-06-18', fat) });
  expect(refused.json.error.code).toBe(-32602);
  expect(refused.headers['mcp-session-id']).toBeUndefined();
  const client = await connect('2025-03-26');
  const pings = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  expect((await client.post(pings(100))).json).toHaveLength(100);
  const answer = await client.post(pings(101));
  expect([answer.status, answer.json.error.code]).toEqual([400, -32600]);
});

test('a request with a valid envelope does not use the session', async () => {
  const client = await connect();
  const request = call('echo', { text: 'x' });
  const answer = await send(served.url, {
    ...request,
    headers: { ...request.headers, 'mcp-session-id': client.session },
  });
  expect(answer.json.result.resultType).toBe('complete');
  expect(answer.headers['mcp-session-id']).toBeUndefined();
});

test('a GET without a session gets no stream', async () => {
  expect((await send(served.url, { method: 'GET' })).status).toBe(405);
  expect(
    (await send(served.url, { method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } })).status,
  ).toBe(400);
});
