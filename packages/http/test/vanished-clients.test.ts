import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';

/** The timer of a connection that asks a silent peer whether it is there, in the sixth column of /proc/net/tcp. */
const ASKS = '02';

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** The timers of the connections that the server has from these clients. */
function timersOf(port: number, clients: readonly number[]): string[] {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([, here, there]) =>
        here!.endsWith(`:${hex(port)}`) && clients.some((each) => there!.endsWith(`:${hex(each)}`)),
    )
    .map((columns) => columns[5]!.slice(0, 2));
}

test('the kernel asks silent clients whether they are still there', async () => {
  // Elsewhere, no file says which timers a connection has.
  if (process.platform !== 'linux') return expect(process.platform).not.toBe('linux');
  const { server } = await createFixture();
  const service = await serveHttp(server, { port: 0, signals: false });
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  // The listener takes a connection a moment after the client has it.
  let timers: string[] = [];
  while (!timers.includes(ASKS)) {
    await new Promise((resolve) => setImmediate(resolve));
    timers = timersOf(service.port, [socket.localPort!]);
  }
  expect(timers).toEqual([ASKS]);
  socket.destroy();
  await service.close();
});
