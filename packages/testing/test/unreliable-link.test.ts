import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { UnreliableLink } from '../src/index.js';

/** Answers every byte with the same byte. */
let echo: Server;
let link: UnreliableLink;
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  link = await UnreliableLink.to((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await link.close();
  await new Promise((resolve) => echo.close(resolve));
});

async function open(): Promise<Socket> {
  const socket = connect(link.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function asks(socket: Socket, text: string): Promise<string> {
  let heard = '';
  socket.on('data', (data) => (heard += String(data)));
  socket.write(text);
  while (heard.length < text.length) await once(socket, 'data');
  return heard;
}

test('a link passes everything on', async () => {
  expect(await asks(await open(), 'hello')).toBe('hello');
});

test('a link that is cut breaks its connections and refuses new ones until it is mended', async () => {
  const socket = await open();
  await asks(socket, 'a');
  const closed = once(socket, 'close');
  link.cut();
  await closed;
  const refused = await open();
  await once(refused, 'close');
  link.mend();
  expect(await asks(await open(), 'b')).toBe('b');
});

test('a silent link loses everything, and old connections stay silent after it is mended', async () => {
  const socket = await open();
  await asks(socket, 'a');
  const heard: string[] = [];
  socket.on('data', (data) => heard.push(String(data)));
  link.silence();
  socket.write('lost');
  link.mend();
  socket.write('lost as well');
  // A second connection shows that enough time has passed.
  expect(await asks(await open(), 'b')).toBe('b');
  expect(heard).toEqual([]);
  expect(socket.destroyed).toBe(false);
});

test('a slow link keeps the order, also when it is fast again', async () => {
  const socket = await open();
  link.slow(30);
  const heard = asks(socket, 'abcdef');
  socket.write('');
  link.slow(0);
  expect(await heard).toBe('abcdef');
  link.slow(40);
  const both = asks(socket, '12');
  await new Promise((resolve) => setImmediate(resolve));
  link.mend();
  socket.write('34');
  expect(await both).toMatch(/^12/);
});

test('what the server sends can be replaced', async () => {
  const { port } = echo.address() as AddressInfo;
  const loud = await UnreliableLink.to(port, {
    rewrite: (data) => Buffer.from(String(data).toUpperCase()),
  });
  const socket = connect(loud.port, '127.0.0.1');
  sockets.push(socket);
  expect(await asks(socket, 'hello')).toBe('HELLO');
  await loud.close();
});
