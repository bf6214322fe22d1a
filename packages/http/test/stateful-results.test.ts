import { useLegacyService } from './support/legacy-service.js';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const { connect } = useLegacyService();

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

test.each(legacy)('%s: definitions contain only the fields of the revision', async (revision) => {
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

test.each(legacy)('%s: results contain only the fields of the revision', async (revision) => {
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

test('notifications and responses are accepted with 202', async () => {
  const client = await connect();
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', id: 'nobody asked', result: {} },
    { jsonrpc: '2.0', id: 5, error: { code: -1, message: 'no' } },
    { jsonrpc: '2.0', error: { code: -32700, message: 'unreadable' } },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'unreadable' } },
  ]) {
    const answer = await client.post(body);
    expect([answer.status, answer.text]).toEqual([202, '']);
  }
});

test('progress and logs are on the stream of their request, at the level that was set', async () => {
  const client = await connect();
  await client.request('logging/setLevel', { level: 'error' });
  const answer = await client.call('talk', {}, { progressToken: 't' });
  const heard = answer.events
    .filter(Boolean)
    .map(({ method, params, result }) =>
      method ? [method, params.progress ?? params.level] : result.content[0].text,
    );
  expect(heard).toEqual([
    ['notifications/progress', 1],
    ['notifications/progress', 2],
    ['notifications/message', 'error'],
    'said',
  ]);
});

test('on 2024-11-05 progress has no message', async () => {
  const answer = await (await connect('2024-11-05')).call('talk', {}, { progressToken: 't' });
  const progress = answer.events.filter(Boolean).filter(({ method }) => method === 'notifications/progress');
  expect(progress[0].params).toEqual({ progressToken: 't', progress: 1, total: 2 });
});
