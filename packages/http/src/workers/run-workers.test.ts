import cluster from 'node:cluster';
import { PassThrough } from 'node:stream';
import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '../node/serve-http.js';
import { compileCache, restartDelay } from './primary/worker-slot.js';
import { passWholeLines } from './primary/whole-lines.js';
import { runWorkers } from './run-workers.js';
import type { StartWorker } from './worker/run-in-worker.js';

const serve: StartWorker = async ({ stores }) =>
  serveHttp(await createMcpServer({ name: 'test', version: '1.0.0', services: [], stores }), {
    port: 0,
    signals: false,
  });

describe('runWorkers', () => {
  it('with no workers serves in this process', async () => {
    const running = await runWorkers({ workers: 0 }, serve);
    expect(running.pids).toEqual([process.pid]);
    const { status } = await fetch(new URL('/readyz', running.url));
    expect(status).toBe(200);
    await running.close();
    await expect(fetch(running.url!)).rejects.toThrow();
  });

  it('under toolwright dev serves in this process, whatever the option says', async () => {
    const observer = Symbol.for('toolwright.serverObserver');
    Object.assign(globalThis, { [observer]: () => undefined });
    try {
      const running = await runWorkers({ workers: 4 }, serve);
      expect(running.pids).toEqual([process.pid]);
      await running.close();
    } finally {
      Reflect.deleteProperty(globalThis, observer);
    }
  });

  it('refuses a server that does not share the stores of its worker', async () => {
    const closed = { close: () => Promise.resolve() };
    await expect(runWorkers({ workers: 0 }, () => Promise.resolve(closed))).rejects.toThrow(
      'createMcpServer({ …, stores: [stores] })',
    );
  });

  it('refuses the transport of 2024-11-05, whose clients must come back to one process', async () => {
    const withSse: StartWorker = async ({ stores }) =>
      serveHttp(await createMcpServer({ name: 'test', version: '1.0.0', services: [], stores }), {
        port: 0,
        sse: true,
      });
    await expect(runWorkers({ workers: 0 }, withSse)).rejects.toThrow('TW_PROCESS_BOUND');
  });

  it('refuses to run in a worker of another cluster', async () => {
    const isWorker = jest.replaceProperty(cluster, 'isWorker', true);
    try {
      await expect(runWorkers({ workers: 2 }, serve)).rejects.toThrow('set "workers" to 0');
      const running = await runWorkers({ workers: 0 }, serve);
      expect(running.pids).toEqual([process.pid]);
      await running.close();
    } finally {
      isWorker.restore();
    }
  });

  it('tells all that is wrong with its options', async () => {
    const wrong = runWorkers({ workers: -1, stopTimeout: 0, worker: 2 } as never, serve);
    await expect(wrong).rejects.toThrow(/workers[^]*stopTimeout[^]*worker|worker[^]*workers[^]*stopTimeout/);
  });
});

it('a worker that ends again and again is started later and later, and at least every 30 seconds', () => {
  const delays = [1, 2, 3, 9, 10, 1_000].map(restartDelay);
  expect(delays).toEqual([100, 200, 400, 25_600, 30_000, 30_000]);
});

it('what workers write is passed on in whole lines', async () => {
  const out = new PassThrough();
  const workers = [new PassThrough(), new PassThrough()];
  for (const worker of workers) passWholeLines(worker, out);
  const [one, two] = workers;
  one!.write('{"a":');
  two!.write('{"b":1}\n{"c"');
  one!.write('1}\n');
  two!.end(':1}');
  await new Promise((resolve) => two!.once('close', resolve));
  const lines = String(out.read()).split('\n');
  expect(lines.sort()).toEqual(['', '{"a":1}', '{"b":1}', '{"c":1}']);
});

test('workers are told where compiled code is kept, where Node.js keeps it', () => {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const keeps = major > 22 || (major === 22 && minor >= 8);
  const isOff = process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined;
  const expected = keeps && !isOff ? { NODE_COMPILE_CACHE: expect.any(String) } : {};
  expect(compileCache()).toEqual(expected);
});
