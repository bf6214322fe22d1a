import { useLegacyService } from './support/legacy-service.js';

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const { connect } = useLegacyService();

// What each revision has is tested in core, without HTTP. These tests are about statuses and streams.

test.each(legacy)('%s: errors keep status 200 and the id', async (revision) => {
  const client = await connect(revision);
  for (const [method, params] of [
    ['resources/read', { uri: 'test://nowhere' }],
    ['unknown/method', {}],
    ['tools/call', { name: 'ecko' }],
  ] as const) {
    const { status, json } = await client.request(method, params, 'an id');
    expect([status, json.id, json.error.code]).toEqual([200, 'an id', expect.any(Number)]);
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
