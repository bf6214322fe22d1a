import { systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { describeIntegersInStores } from '../support/describe-integers-in-stores.js';

const queue = new MemoryTaskQueue(systemClock);
describeIntegersInStores(
  'processes that share a queue in memory',
  () => ({ stores: { tasks: queue.peer() } as never }),
  { isQueue: true },
);
