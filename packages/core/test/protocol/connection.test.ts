import { settled } from '../support/fake-clock.js';
import { boot } from '../support/booting.js';
import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { _meta, openConnection, stateless } from '../wire/open-connection.js';
import { StatefulWire } from '../wire/stateful-wire.js';

let fixture: ProtocolFixture;
beforeEach(async () => (fixture = await createProtocolFixture()));
afterEach(() => close(fixture));

describe('the first message decides the era', () => {
  test('after a stateless request there is no handshake, and every request needs its metadata', async () => {
    const { inbox, connection, last } = openConnection(fixture.server);
    connection.receive(stateless(1, 'tools/list'));
    await inbox.at(1);
    connection.receive({ jsonrpc: '2.0', id: 2, method: 'initialize', params: {} });
    expect(last()).toMatchObject({ id: 2, error: { code: -32022 } });
    connection.receive({ jsonrpc: '2.0', id: 3, method: 'ping' });
    expect(last()).toMatchObject({ id: 3, error: { code: -32602 } });
  });

  test('server/discover decides nothing', async () => {
    const { inbox, connection } = openConnection(fixture.server);
    connection.receive(stateless(1, 'server/discover'));
    await inbox.at(1);
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    connection.receive({ jsonrpc: '2.0', id: 2, method: 'initialize', params });
    expect(await inbox.at(2)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  test('after a handshake, requests with stateless metadata are served as requests of its revision', async () => {
    const wire = new StatefulWire(fixture.server);
    wire.send(stateless(7, 'tools/call', { name: 'whoami', arguments: {} }));
    const answer = await wire.inbox.find(({ id }) => id === 7);
    expect(answer.result).not.toHaveProperty('resultType');
  });

  test('before the handshake only pings are answered', () => {
    const { connection, last } = openConnection(fixture.server);
    connection.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(last()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    connection.receive({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(last()).toMatchObject({ id: 2, error: { code: -32600, message: 'Send "initialize" first.' } });
  });

  test('if no handshake is served, its client is told which versions are', async () => {
    const server = await boot({ stateful: false });
    const { connection, inbox } = openConnection(server);
    connection.receive({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25' },
    });
    connection.receive({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(inbox.messages.map(({ error }) => error.code)).toEqual([-32022, -32022]);
    await server.close(0);
  });

  test('a version later than all served ones is refused', () => {
    const { connection, last } = openConnection(fixture.server);
    connection.receive(
      stateless(1, 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
    );
    expect(last()).toMatchObject({ id: 1, error: { code: -32022 } });
  });
});

describe('the handshake', () => {
  test.each<[string, object]>([
    ['no version', { capabilities: {}, clientInfo: { name: 'c', version: '1' } }],
    ['no capabilities', { protocolVersion: '2025-11-25', clientInfo: { name: 'c', version: '1' } }],
    ['no name', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { version: '1' } }],
    [
      'a description as long as a book',
      {
        protocolVersion: '2025-11-25',
        capabilities: { experimental: { text: 'x'.repeat(20_000) } },
        clientInfo: { name: 'c', version: '1' },
      },
    ],
  ])('with %s is refused', (_what, params) => {
    const { connection, last } = openConnection(fixture.server);
    connection.receive({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(last()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test('for an unknown version gets the newest one', () => {
    const wire = new StatefulWire(fixture.server, { revision: '1999-01-01' });
    expect(wire.said[0].result.protocolVersion).toBe('2025-11-25');
  });

  test('for the second time gets the revision of the first time, and leaves the session as it is', async () => {
    const wire = new StatefulWire(fixture.server, { revision: '2025-11-25' });
    const clientInfo = { name: 'c', version: '1' };
    const again = await wire.request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo,
    });
    expect(again.result).toEqual(wire.said[0].result);
    expect(again.result.protocolVersion).toBe('2025-11-25');
    expect((await wire.request('tools/list')).result.tools).not.toEqual([]);
    expect((await wire.request('initialize', {})).error.code).toBe(-32602);
  });
});

describe('a body that is no message', () => {
  test.each<[string, number]>([
    ['{', -32700],
    ['5', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`, -32600],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    [`[${Array(101).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`, -32600],
    ['[5]', -32600],
  ])('%.60s is answered with %d', (text, code) => {
    const { connection, last } = openConnection(fixture.server);
    connection.receiveText(text);
    expect(last().error.code).toBe(code);
  });

  test('a notification is never answered, not even a malformed one', async () => {
    const { connection, inbox } = openConnection(fixture.server);
    for (const params of [[], 5]) connection.receive({ jsonrpc: '2.0', method: 'notifications/x', params });
    connection.receive({
      jsonrpc: '2.0',
      method: 'notifications/x',
      params: { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': 5 } },
    });
    connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } });
    connection.receive({ jsonrpc: '2.0', id: 1, result: {} });
    connection.receive({ jsonrpc: '2.0', error: { code: -32700, message: 'unreadable' } });
    await settled();
    expect(inbox.messages).toEqual([]);
  });
});

describe('a batch of 2025-03-26', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test('is answered with one array that includes malformed messages but no notifications', async () => {
    const wire = new StatefulWire(fixture.server, { revision: '2025-03-26' });
    wire.send([
      ping(2),
      { jsonrpc: '2.0', id: 3, method: 5 },
      { jsonrpc: '2.0', id: 4, method: 'initialize' },
      { jsonrpc: '2.0', method: 'notifications/x' },
      { jsonrpc: '2.0', method: 'notifications/x', params: [] },
      { jsonrpc: '2.0', id: 'nobody asked', result: {} },
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'whoami', arguments: {} } },
    ]);
    const batch: { id: number }[] = await wire.inbox.find((message) => Array.isArray(message));
    expect(batch.map(({ id }) => id).sort()).toEqual([2, 3, 4, 5]);
  });

  test('does not exist on other revisions', () => {
    const wire = new StatefulWire(fixture.server);
    wire.send([ping(2)]);
    expect(wire.said.at(-1)).toMatchObject({ error: { code: -32600 } });
  });
});
