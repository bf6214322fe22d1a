import { createMcpServer } from '@toolwright/core';
import { serveTasks, type ToolDefinition } from '@toolwright/core/operate';
import { settled } from '../support/fake-clock.js';
import { boot } from '../support/booting.js';
import { queueFleet, queueSecret, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const tools: ToolDefinition[] = [{ name: 'work', handler: () => 'done' }];

test('a process knows how much waits on its queue, and asks it at most once a second', async () => {
  const load = jest.fn(() => fleet.queue.load());
  fleet.odd = { load };
  fleet.web = await fleet.start(0, tools);
  await fleet.begin('work');
  await fleet.clock.advance(5_000);
  const { protocol } = fleet.web;
  const loads = await Promise.all([protocol.taskLoad, protocol.taskLoad]);
  const depth = [{ tool: 'work', ownerClass: 'principal', waiting: 1 }];
  expect(loads).toEqual(Array(2).fill({ waiting: 1, oldestMs: 5_000, running: 0, dead: 0, depth }));
  expect(load).toHaveBeenCalledTimes(1);
  await fleet.clock.advance(1_000);
  expect((await protocol.taskLoad)?.oldestMs).toBe(6_000);
});

test('while the queue does not answer, nobody waits for its load', async () => {
  fleet.odd = { load: () => new Promise(() => undefined) as never };
  fleet.web = await fleet.start(0, tools);
  const asked = fleet.web.protocol.taskLoad;
  await fleet.clock.advance(1_000);
  await settled();
  expect(await asked).toBeUndefined();
  expect(fleet.logger.lines.at(-1)!.message).toContain('The task queue does not answer');
});

test('without a queue there is no load, and nothing to work on', async () => {
  const server = await boot({});
  expect(server.protocol.taskLoad).toBeUndefined();
  await expect(serveTasks(server)).rejects.toThrow(/no task queue/);
  await server.close(0);
});

test('a process works on the queue once', async () => {
  const server = await fleet.start(1, tools);
  await expect(serveTasks(server, { signals: false })).rejects.toThrow(/works on the task queue already/);
});

test('a process that serves clients works as well when its options say so', async () => {
  const { clock, queue } = fleet;
  const server = await createMcpServer({
    name: 'test',
    version: '1',
    ports: { clock },
    stores: { tasks: queue.peer() },
    secrets: [queueSecret],
    tasks: { concurrency: 2 },
    logger: fleet.logger,
  });
  server.tools.add({ name: 'work', description: 'Works.', task: 'optional', handler: () => 'done' });
  fleet.web = server;
  expect(await fleet.textOf(await fleet.begin('work'))).toBe('done');
  const closing = server.close(0);
  await clock.advance(0);
  await closing;
});

test('the queue is opened and closed with its server, and its health is told', async () => {
  const calls: string[] = [];
  const queue = Object.assign(fleet.queue.peer(), {
    open: () => void calls.push('open'),
    close: () => void calls.push('close'),
    health: () => [{ store: 'tasks', up: true, since: 1 }],
  });
  const server = await boot({ stores: { tasks: queue }, secrets: [queueSecret] });
  expect(server.protocol.stores).toEqual([{ store: 'tasks', up: true, since: 1 }]);
  await server.close(0);
  expect(calls).toEqual(['open', 'close']);
});

test('a service that works is closed once, and gives its tasks time', async () => {
  const server = await boot({ stores: { tasks: fleet.queue.peer() }, secrets: [queueSecret] });
  const service = await serveTasks(server, { signals: false, grace: 0 });
  await Promise.all([service.close(), service.close()]);
  expect(server.protocol.draining).toBe(true);
});
