import { Connection } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { ModernWire } from '../wire/modern-wire.js';

const serverInfo = 'io.modelcontextprotocol/serverInfo';
const ofAnother = { [serverInfo]: { name: 'upstream', version: '9' }, 'x.example/kept': 1 };

async function setUp() {
  const server = await boot({});
  const content = [{ type: 'text', text: 'x' }];
  server.tools.add({ name: 'pass', handler: () => ({ content, _meta: ofAnother }) });
  server.tools.add({ name: 'bare', handler: () => ({ content, _meta: { [serverInfo]: {} } }) });
  return server;
}

test('A result of another server names this one to clients of 2026-07-28', async () => {
  const server = await setUp();
  const { result } = await new ModernWire(server).call('pass');
  expect(result._meta).toEqual({ [serverInfo]: { name: 'test', version: '1' }, 'x.example/kept': 1 });
  await server.close(0);
});

test('and no server to older clients', async () => {
  const server = await setUp();
  const said: { id: number; result: { _meta?: object } }[] = [];
  const peer = { principal: undefined, ip: undefined, transport: 'memory' as const };
  const connection = new Connection(server.protocol, peer, (text) => said.push(JSON.parse(text)));
  const ask = (id: number, method: string, params: object) =>
    connection.receive({ jsonrpc: '2.0', id, method, params });
  const clientInfo = { name: 'test', version: '1' };
  ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  ask(2, 'tools/call', { name: 'pass', arguments: {} });
  ask(3, 'tools/call', { name: 'bare', arguments: {} });
  await new Promise(setImmediate);
  expect(said.map(({ id, result }) => [id, result._meta])).toEqual([
    [1, undefined],
    [2, { 'x.example/kept': 1 }],
    [3, undefined],
  ]);
  connection.close();
  await server.close(0);
});
