import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { NodeStreamWriter } from './node-stream-writer.js';

let http: Server;
afterEach(() => new Promise<void>((resolve) => http.close(() => resolve())));

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Counts how often the socket hands something to the system. */
function countWrites(socket: Socket): () => number {
  let writes = 0;
  for (const method of ['_write', '_writev'] as const) {
    const original = (socket as any)[method] as (...args: unknown[]) => void;
    (socket as any)[method] = (...args: unknown[]) => {
      writes++;
      original.apply(socket, args);
    };
  }
  return () => writes;
}

/** Short parts are taken at once. */
const never = () => {
  throw new Error('Nothing waits.');
};

/** Writes two parts in each of three turns, and returns the number of writes after each of them. */
async function stream(res: ServerResponse): Promise<number[]> {
  const written = countWrites(res.socket!);
  const writer = new NodeStreamWriter(
    res,
    { 'content-type': 'text/event-stream' },
    { status: 200, isGone: () => false },
  );
  const writes: number[] = [];
  for (const part of ['a', 'b', 'c']) {
    writer.write(`${part}1 `, never);
    writer.write(`${part}2 `, never);
    await turn();
    await turn();
    writes.push(written());
  }
  writer.end();
  return writes;
}

test('what is written in one turn of the event loop is one write to the socket', async () => {
  let writes: Promise<number[]> | undefined;
  http = createServer((_req, res) => {
    writes = stream(res);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => get({ port, agent: false }, resolve));

  expect(await text(response)).toBe('a1 a2 b1 b2 c1 c2 ');
  expect(await writes).toEqual([1, 2, 3]);
});
