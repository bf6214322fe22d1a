import { boot } from '../support/booting.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const serverInfo = 'io.modelcontextprotocol/serverInfo';
const ofAnother = { [serverInfo]: { name: 'upstream', version: '9' }, 'x.example/kept': 1 };

async function setUp() {
  const server = await boot({});
  const content = [{ type: 'text', text: 'x' }];
  server.tools.add({ name: 'pass', handler: () => ({ content, _meta: ofAnother }) });
  server.tools.add({ name: 'bare', handler: () => ({ content, _meta: { [serverInfo]: {} } }) });
  return server;
}

test('for clients of 2026-07-28, the result of another server names this one', async () => {
  const server = await setUp();
  const { result } = await new StatelessWire(server).call('pass');
  expect(result._meta).toEqual({ [serverInfo]: { name: 'test', version: '1' }, 'x.example/kept': 1 });
  await server.close(0);
});

test('for older clients, it names no server', async () => {
  const server = await setUp();
  const older = new StatefulWire<{ id: number; result: { _meta?: object } }>(server);
  older.tell(2, 'tools/call', { name: 'pass', arguments: {} });
  older.tell(3, 'tools/call', { name: 'bare', arguments: {} });
  await new Promise(setImmediate);
  expect(older.said.map(({ id, result }) => [id, result._meta])).toEqual([
    [1, undefined],
    [2, { 'x.example/kept': 1 }],
    [3, undefined],
  ]);
  older.close();
  await server.close(0);
});
