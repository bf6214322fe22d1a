import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type ServerStores } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { mcpReady, serveHttp, type HttpService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { ManualClock } from '@toolwright/testing';
import { send } from './support/wire.js';

const secrets = ['s'.repeat(32)];
const shared = { secrets };

let service: HttpService | undefined;
afterEach(() => service?.close());

/** Stores of which one is away, or none. */
const stores = (up: boolean): ServerStores => ({
  health: () => [
    { store: 'redis', up, since: 0 },
    { store: 'postgres', up: true, since: 0 },
  ],
});

const ask = async (path: string) => {
  const response = await fetch(new URL(path, service!.url));
  return [response.status, await response.json()];
};

test('Both probes name the stores that do not answer, and the server goes on', async () => {
  const { server } = await createFixture({ stores: stores(false), ...shared });
  service = await serveHttp(server, { port: 0, signals: false });
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', away: ['redis'] }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok', away: ['redis'] }]);
});

test('A process that requires a store gets no requests while it is away', async () => {
  const answers: unknown[] = [];
  for (const up of [false, true]) {
    const { server } = await createFixture({ stores: stores(up), ...shared });
    const http = createServer(mcpReady(server, { requires: ['redis'] })).listen(0, '127.0.0.1');
    await new Promise((listening) => http.once('listening', listening));
    const { status, text } = await send(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`, {});
    answers.push(status, text);
    http.close();
    await server.close();
  }
  expect(answers).toEqual([503, '{"status":"waiting","away":["redis"]}', 200, '{"status":"ready"}']);
});

test('A server that cannot record gets no requests, and nobody restarts it for that', async () => {
  let isFull = true;
  const audit = {
    write: () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
    health: () => ({ up: !isFull, since: 0 }),
  };
  const { server } = await createFixture({ audit });
  service = await serveHttp(server, { port: 0, signals: false });
  expect(await ask('/readyz')).toEqual([503, { status: 'waiting', away: ['audit'] }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok', away: ['audit'] }]);
  isFull = false;
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
});

test('A server that stops says so first, and still serves for a while', async () => {
  const clock = new ManualClock();
  const { server } = await createFixture({ ports: { clock } });
  service = await serveHttp(server, { port: 0, signals: false, drainDelay: 5_000 });
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
  const closing = service.close();
  expect(await ask('/readyz')).toEqual([503, { status: 'leaving' }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(server.protocol.draining).toBe(false);
  clock.advance(5_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.protocol.draining).toBe(true);
  await closing;
});

test('Both probes tell how many tasks wait on the queue, and for how long', async () => {
  const clock = new ManualClock();
  const queue = new MemoryTaskQueue(clock);
  const { server } = await createFixture({ stores: { tasks: queue }, ports: { clock }, secrets });
  service = await serveHttp(server, { port: 0, signals: false });
  queue.enqueue({ id: 'a', owner: '', ttlMs: null, pollIntervalMs: 1, tool: 'work' }, 'job');
  clock.advance(2_000);
  const tasks = { waiting: 1, oldestMs: 2_000, running: 0, dead: 0 };
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', tasks }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok', tasks }]);
});

test('A queue that does not answer keeps no probe waiting for its answer', async () => {
  const queue = new MemoryTaskQueue(systemClock);
  const failing = Object.assign(queue, { load: () => Promise.reject(new Error('away')) });
  const { server } = await createFixture({ stores: { tasks: failing }, secrets });
  service = await serveHttp(server, { port: 0, signals: false });
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
});
