import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';

test('a request with two Hosts is refused, whichever comes first', async () => {
  const service = await serveHttp((await createFixture()).server, { port: 0, signals: false });
  const { port } = new URL(service.url);
  const own = `localhost:${port}`;
  for (const [hosts, status] of [
    [[own], 200],
    [[own, 'rebind.example'], 403],
    [['rebind.example', own], 403],
  ] as const) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize });
    const head = [
      'POST /mcp HTTP/1.1',
      ...hosts.map((host) => `Host: ${host}`),
      'Connection: close',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    expect((await text(socket)).split('\r\n')[0]).toContain(` ${status} `);
  }
  await service.close();
});

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
