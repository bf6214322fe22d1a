import { boot } from '../support/booting.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const longest = `note://${'x'.repeat(8_192 - 'note://'.length)}`;

test('the URI of a subscription has a maximum length, in both eras', async () => {
  const server = await boot({});
  server.resourceTemplates.add({ name: 'note', uriTemplate: 'note://{id}', handler: () => 'x' });
  const listen = (uri: string) =>
    new StatelessWire(server).request('subscriptions/listen', {
      notifications: { resourceSubscriptions: [uri] },
    });
  expect((await listen(`${longest}x`)).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('at most 8192 characters'),
  });

  const older = new StatefulWire<{ id: number; error?: object }>(server);
  older.tell(2, 'resources/subscribe', { uri: longest });
  older.tell(3, 'resources/subscribe', { uri: `${longest}x` });
  older.tell(4, 'resources/unsubscribe', { uri: `${longest}x` });
  expect(older.said.map(({ id, error }) => [id, error !== undefined])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ]);
  older.close();
  await server.close(0);
});
