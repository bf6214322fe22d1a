import { settled } from '../support/fake-clock.js';
import { accept, close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { openConnection, stateless } from '../wire/open-connection.js';
import { StatefulWire } from '../wire/stateful-wire.js';

let fixture: ProtocolFixture;
beforeEach(async () => (fixture = await createProtocolFixture()));
afterEach(() => close(fixture));

describe('a call that is no longer wanted', () => {
  test.each(['stateless', 'stateful'])(
    'notifications/cancelled ends a %s call without an answer',
    async (era) => {
      const { gates, server } = fixture;
      const params = { name: 'hold', arguments: { gate: era } };
      const { inbox, connection } = openConnection(fixture.server);
      const wire = era === 'stateful' ? new StatefulWire(server) : undefined;
      const send = (message: object) => (wire ? wire.send(message) : connection.receive(message));
      send(
        wire
          ? { jsonrpc: '2.0', id: 'c', method: 'tools/call', params }
          : stateless('c', 'tools/call', params),
      );
      await gates.reached(era);
      for (const requestId of ['unknown', 'c'])
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      await settled();
      expect(gates.aborted).toEqual([era]);
      expect((wire?.inbox ?? inbox).messages.filter(({ id }) => id === 'c')).toEqual([]);
    },
  );

  test('a closed connection ends its calls, and cancels its subscriptions by their ids', async () => {
    const { gates } = fixture;
    const { inbox, connection } = openConnection(fixture.server);
    connection.receive(stateless('s', 'subscriptions/listen', { notifications: {} }));
    connection.receive(stateless('c', 'tools/call', { name: 'hold', arguments: { gate: 'a' } }));
    await gates.reached('a');
    connection.close();
    await settled();
    expect(gates.aborted).toEqual(['a']);
    expect(inbox.messages.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 's' },
    });
    expect(fixture.server.protocol.load).toEqual({ sessions: 0, subscriptions: 0, requests: 0 });
  });

  test('a closed connection with a session does the same, and its questions end', async () => {
    const wire = new StatefulWire(fixture.server, { capabilities: { elicitation: {} } });
    wire.tell(2, 'tools/call', { name: 'ask', arguments: {} });
    const { id } = await wire.question('elicitation/create');
    wire.close();
    await settled();
    wire.answer(id, { result: accept('Ada') });
    expect(fixture.server.protocol.load.requests).toBe(0);
  });

  test('if two calls have the same id, the second one is cancelled', async () => {
    const wire = new StatefulWire(fixture.server);
    for (const gate of ['a', 'b']) wire.tell(5, 'tools/call', { name: 'hold', arguments: { gate } });
    await Promise.all(['a', 'b'].map((gate) => fixture.gates.reached(gate)));
    fixture.gates.open('a');
    await wire.inbox.find(({ id }) => id === 5);
    wire.notify('notifications/cancelled', { requestId: 5 });
    await settled();
    expect(fixture.gates.aborted).toEqual(['b']);
  });
});

test('a server that stops refuses new requests with the stopping answer, in both eras', async () => {
  const { server, gates } = fixture;
  const { connection, inbox } = openConnection(fixture.server);
  connection.receive(stateless(1, 'tools/call', { name: 'hold', arguments: { gate: 'a' } }));
  const wire = new StatefulWire(server);
  await gates.reached('a');
  const drained = server.drain();
  connection.receive(stateless(2, 'tools/list'));
  expect(inbox.messages.at(-1)).toMatchObject({ id: 2, error: { data: { retryAfterMs: 5000 } } });
  expect((await wire.request('tools/list')).error).toMatchObject({ data: { retryAfterMs: 5000 } });
  gates.open('a');
  expect(await drained).toBe(true);
  expect(inbox.messages.find(({ id }) => id === 1).result.content[0].text).toBe('through a');
});

test('a client gets changes after its handshake, and for resources to which it subscribed', async () => {
  const early = new StatefulWire(fixture.server, { initialized: false });
  const wire = new StatefulWire(fixture.server);
  await wire.request('resources/subscribe', { uri: 'test://plain' });
  for (const uri of ['test://other', 'test://plain']) fixture.server.resourceUpdated(uri);
  fixture.server.tools.remove('talk');
  await wire.request('resources/unsubscribe', { uri: 'test://plain' });
  fixture.server.resourceUpdated('test://plain');
  wire.close();
  fixture.server.tools.remove('whoami');
  await settled();
  expect(wire.said.filter(({ method }) => method).map(({ method, params }) => [method, params])).toEqual([
    ['notifications/resources/updated', { uri: 'test://plain' }],
    ['notifications/tools/list_changed', undefined],
  ]);
  expect(early.said).toHaveLength(1);
});
