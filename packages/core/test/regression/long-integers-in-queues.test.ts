import { MemoryTaskQueue, systemClock } from '@toolwright/core/ports';
import { describeIntegersInStores } from '../support/describe-integers-in-stores.js';

const queue = new MemoryTaskQueue(systemClock);
describeIntegersInStores(
  'processes that share a queue in memory',
  () => ({ stores: { tasks: queue.peer() } as never }),
  { isQueue: true },
);
