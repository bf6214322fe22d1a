import { until } from '../../../.ci/test/support/until.js';
import { useLegacyService } from './support/legacy-service.js';

const { served, connect } = useLegacyService();

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

test('notifications/cancelled ends a call without an answer, a disconnect does not', async () => {
  const client = await connect();
  const cancelled = client.request('tools/call', { name: 'hold', arguments: { gate: 'cancel' } }, 'c');
  await until(() => served.fixture.gates.entered.includes('cancel'));
  await client.notify('notifications/cancelled', { requestId: 'unknown' });
  await client.notify('notifications/cancelled', { requestId: 'c' });
  const answer = await cancelled;
  expect(served.fixture.gates.aborted).toContain('cancel');
  expect(answer.events.filter(Boolean)).toEqual([]);
  const left = await client.streamed('tools/call', { name: 'ask' }).catch(() => undefined);
  left?.close();
});

test('list_changed and updates are on the GET stream', async () => {
  const client = await connect();
  const stream = await client.stream();
  await client.request('resources/subscribe', { uri: 'test://plain' });
  served.fixture.server.tools.add({ name: 'added', description: 'Added.', handler: () => 'x' });
  expect((await stream.event(1)).message).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
  });
  served.fixture.server.resourceUpdated('test://other');
  served.fixture.server.resourceUpdated('test://plain');
  expect((await stream.event(2)).message).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri: 'test://plain' },
  });
  served.fixture.server.tools.remove('added');
  await stream.event(3);
  stream.close();
});

test('a broken stream continues where it broke, for its own session only', async () => {
  const client = await connect();
  const first = await client.stream();
  served.fixture.server.tools.add({ name: 'one', description: 'One.', handler: () => 'x' });
  const { id } = await first.event(1);
  first.close();
  await until(() => first.events.length === 1);
  served.fixture.server.tools.remove('one');
  const second = await client.stream({ 'last-event-id': id! });
  const { id: next, message } = await second.event(1);
  expect(message.method).toBe('notifications/tools/list_changed');
  expect(next).not.toBe(id);
  second.close();
  const stranger = await connect();
  const foreign = await stranger.stream({ 'last-event-id': id! });
  served.fixture.server.resourceUpdated('test://nobody');
  served.fixture.server.tools.add({ name: 'two', description: 'Two.', handler: () => 'x' });
  await foreign.event(1);
  expect(foreign.events).toHaveLength(1);
  served.fixture.server.tools.remove('two');
  foreign.close();
});

test('the stream of a call outlives its connection, and the answer waits for the client', async () => {
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
