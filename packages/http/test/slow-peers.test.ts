import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

let service: HttpService;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

async function open(): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test.each([
  ['its headers', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  [
    'its body',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  ],
])('a client that never ends %s is disconnected, and others are served meanwhile', async (_, text) => {
  const { server } = await createFixture();
  const options = { port: 0, signals: false, headersTimeout: 1_000, requestTimeout: 1_000 };
  service = await serveHttp(server, options);
  const closed: Promise<unknown>[] = [];
  const slow = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = await open();
      // From here on: on a busy machine the first may be cut off before the last is open.
      closed.push(once(socket.resume(), 'close'));
      return socket;
    }),
  );
  for (const socket of slow) socket.write(text);
  expect((await send(service.url, call('echo', { text: 'alive' }))).status).toBe(200);
  await Promise.all(closed);
});

test('a client that does not read a stream is cut off, and the call learns of it', async () => {
  const { server } = await createFixture();
  const told = new Promise<void>((resolve) => {
    server.tools.add({
      name: 'chatter',
      description: 'Says more than a connection holds, then waits to be stopped.',
      handler: (_args, context) => {
        context.signal.addEventListener('abort', () => resolve());
        for (let step = 1; step <= 10; step++) context.progress(step, 10, 'x'.repeat(2 * 1024 * 1024));
        return new Promise<never>(() => undefined);
      },
    });
  });
  service = await serveHttp(server, { port: 0, signals: false, maxBufferedBytes: 64 * 1024 });
  const { headers, body } = call('chatter', {}, { meta: { progressToken: 1 } });
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers });
  const socket = await open();
  socket.pause();
  socket.write(
    `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  await told;
  expect((await send(service.url, call('echo', { text: 'alive' }))).status).toBe(200);
});
