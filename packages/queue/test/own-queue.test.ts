import { createMcpServer } from '@toolwright/core';
import { MemoryTaskStore, systemClock } from '@toolwright/core/ports';
import { TaskQueue } from '@toolwright/queue';
import { MemoryTaskQueue } from '@toolwright/testing';

const boot = (tasks: never) =>
  createMcpServer({
    name: 'own',
    version: '1',
    services: [],
    stores: { tasks },
    secrets: ['q'.repeat(32)],
    tasks: { concurrency: 0 },
  });

test('A queue that does not extend the class of queues is refused with the words that say so', async () => {
  class Former extends MemoryTaskStore {
    enqueue() {}
    work() {}
    drain() {}
    load() {}
  }
  await expect(boot(new Former(systemClock) as never)).rejects.toThrow(
    /a queue extends TaskQueue of @toolwright\/queue/,
  );
});

test('A queue without ticks hands out no runs of background methods', async () => {
  const queue = new MemoryTaskQueue(systemClock);
  expect(queue).toBeInstanceOf(TaskQueue);
  expect(queue.handsOutTicks).toBe(true);
  queue.enqueueTick = undefined as never;
  expect(queue.handsOutTicks).toBe(false);
  const server = await boot(queue as never);
  await server.close(0);
});
