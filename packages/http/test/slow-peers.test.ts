import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { serveHttp, type HttpService } from '../src/index.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { createFixture } from './support/fixture.js';
import { LegacyClient } from './support/legacy-client.js';
import { call, send, type WireRequest } from './support/wire.js';

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

/** A server with a tool that says more than a connection holds, whose time passes when a test says so. */
async function serveChatter() {
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const { server } = await createFixture({ ports: { clock }, logger });
  let stopped = 0;
  server.tools.add({
    name: 'chatter',
    description: 'Says more than a connection holds, then waits to be stopped.',
    handler: (_args, context) => {
      context.signal.addEventListener('abort', () => stopped++);
      for (let line = 1; line <= 10; line++) context.log.error('x'.repeat(2 * 1024 * 1024));
      return new Promise<never>(() => undefined);
    },
  });
  server.tools.add({
    name: 'large',
    description: 'Answers with more than a connection holds.',
    handler: (_args, context) => {
      context.progress(1, 2);
      return 'x'.repeat(20 * 1024 * 1024);
    },
  });
  service = await serveHttp(server, { port: 0, signals: false, maxUnreadBytes: 22 * 1024 * 1024 });
  const cut = () => logger.lines.filter(({ message }) => message.startsWith('A client was cut off'));
  return { clock, cut, stopped: () => stopped };
}

/** Sends a request on a connection that reads nothing. */
async function askUnread({ headers, body }: WireRequest): Promise<Socket> {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers });
  const socket = await open();
  socket.pause();
  socket.write(
    `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return socket;
}

const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' };

test('a client that does not read a stream is cut off after a time, and the call learns of it', async () => {
  const { clock, cut, stopped } = await serveChatter();
  await askUnread(call('chatter', {}, { meta }));
  while (stopped() === 0) await clock.advance(1_000);
  expect(cut()).toEqual([
    {
      level: 'warn',
      fields: {
        transport: 'http',
        maxUnreadBytes: 22 * 1024 * 1024,
        unreadBytes: expect.any(Number),
        quietMs: expect.any(Number),
      },
      message: 'A client was cut off, because it did not read what was sent to it',
    },
  ]);
  expect((await send(service.url, call('echo', { text: 'alive' }))).status).toBe(200);
});

test.each([
  ['a stream', { meta }],
  ['one body', {}],
])('a client that does not read %s costs another one nothing', async (_how, parts) => {
  const { clock, cut } = await serveChatter();
  await askUnread(call('large', {}, parts));
  const answer = await send(service.url, call('large', {}, { meta }));
  expect(answer.events.at(-1).result.content[0].text).toHaveLength(20 * 1024 * 1024);
  while (cut().length === 0) await clock.advance(1_000);
  expect(cut()).toHaveLength(1);
});

test('a client that was cut off gets what it missed when it resumes the stream', async () => {
  const { clock, cut } = await serveChatter();
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const params = { name: 'large', arguments: {}, _meta: { progressToken: 1 } };
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
  const stopped = await askUnread({ headers: client.headers, body });
  while (cut().length === 0) await clock.advance(1_000);
  let read = '';
  for await (const chunk of stopped.resume() as AsyncIterable<Buffer>) read += chunk.toString();
  const ids = [...read.matchAll(/^id: (.*)\ndata: .*\n\n/gm)].map(([, id]) => id!);
  const resumed = await client.stream({ 'last-event-id': ids.at(-1)! });
  await resumed.ended();
  const [answer, ...more] = resumed.events;
  expect([answer!.message.id, more]).toEqual([7, []]);
  expect(answer!.message.result.content[0].text).toHaveLength(20 * 1024 * 1024);
});
