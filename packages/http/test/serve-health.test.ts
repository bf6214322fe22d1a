import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTasks } from '@toolwright/core/operate';
import { systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { mcpHealth, mcpReady, serveHealth, type HealthService } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { send } from './support/wire.js';

const secrets = ['s'.repeat(32)];

let service: HealthService | undefined;
afterEach(() => service?.close());

const ask = async (path: string, port = service!.port) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return [response.status, response.headers.get('cache-control'), await response.text()];
};

test('A process that only works on tasks answers both probes as a server of clients does, and nothing else', async () => {
  const { server } = await createFixture({
    stores: {
      tasks: new MemoryTaskQueue(systemClock),
      health: () => [{ store: 'redis', up: false, since: 0 }],
    },
    secrets,
  });
  await serveTasks(server, { signals: false });
  service = await serveHealth(server, { port: 0 });
  for (const [path, handler] of [
    ['/healthz', mcpHealth(server)],
    ['/readyz', mcpReady(server)],
  ] as const) {
    const mounted = createServer(handler).listen(0, '127.0.0.1');
    await once(mounted, 'listening');
    const answer = await ask(path);
    expect(answer).toEqual(await ask(path, (mounted.address() as AddressInfo).port));
    expect(answer).toEqual([
      200,
      'no-store',
      expect.stringContaining('"away":["redis"],"tasks":{"waiting":0'),
    ]);
    expect(await ask(`${path}?from=kubelet`)).toEqual(answer);
    mounted.close();
  }
  for (const path of ['/', '/mcp', '/readyz/', '/healthz/x'])
    expect(await ask(path)).toEqual([404, null, '']);
  await server.close();
});

test('Both probes answer 503 from the moment at which a worker is told to stop', async () => {
  const { server } = await createFixture({ stores: { tasks: new MemoryTaskQueue(systemClock) }, secrets });
  const worker = await serveTasks(server, { signals: false });
  service = await serveHealth(server, { port: 0 });
  expect((await ask('/readyz'))[0]).toBe(200);
  const closing = worker.close();
  const draining = [503, 'no-store', '{"status":"draining"}'];
  expect(await ask('/readyz')).toEqual(draining);
  expect(await ask('/healthz')).toEqual(draining);
  await closing;
  expect(await ask('/readyz')).toEqual(draining);
});

test('After close nobody listens, and the server goes on', async () => {
  const { server } = await createFixture();
  service = await serveHealth(server, { port: 0 });
  const { port } = service;
  await service.close();
  await service.close();
  await expect(send(`http://127.0.0.1:${port}/readyz`, {})).rejects.toThrow('ECONNREFUSED');
  expect(server.protocol.draining).toBe(false);
  service = await serveHealth(server, { port });
  expect((await ask('/readyz'))[0]).toBe(200);
  await server.close();
});

test('A taken port and wrong options are told in words', async () => {
  const { server } = await createFixture();
  service = await serveHealth(server, { port: 0, host: '0.0.0.0' });
  const { port } = service;
  await expect(serveHealth(server, { port, host: '0.0.0.0' })).rejects.toThrow(
    `Port ${port} of 0.0.0.0 is taken`,
  );
  await expect(serveHealth(server, { port: 70_000, host: '' })).rejects.toThrow(
    /port[^]*0 to 65535[^]*serveHealth[^]*host/,
  );
  await server.close();
});
