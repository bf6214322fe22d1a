import { Connection } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { ModernWire } from '../wire/modern-wire.js';

const longest = `note://${'x'.repeat(8_192 - 'note://'.length)}`;

test('A URI that is watched has a bound, in both eras', async () => {
  const server = await boot({});
  server.resourceTemplates.add({ name: 'note', uriTemplate: 'note://{id}', handler: () => 'x' });
  const listen = (uri: string) =>
    new ModernWire(server).request('subscriptions/listen', {
      notifications: { resourceSubscriptions: [uri] },
    });
  expect((await listen(`${longest}x`)).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('at most 8192 characters'),
  });

  const said: { id: number; error?: object }[] = [];
  const peer = { principal: undefined, ip: undefined, transport: 'memory' as const };
  const connection = new Connection(server.protocol, peer, (text) => said.push(JSON.parse(text)));
  const tell = (id: number, method: string, params: object) =>
    connection.receive({ jsonrpc: '2.0', id, method, params });
  const clientInfo = { name: 'test', version: '1' };
  tell(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  tell(2, 'resources/subscribe', { uri: longest });
  tell(3, 'resources/subscribe', { uri: `${longest}x` });
  tell(4, 'resources/unsubscribe', { uri: `${longest}x` });
  expect(said.map(({ id, error }) => [id, error !== undefined])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ]);
  connection.close();
  await server.close(0);
});
