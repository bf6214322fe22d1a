import {
  describeClaimStore,
  describeEventBus,
  describeEventStore,
  describeLeaseStore,
  describeRateLimiter,
  describeRecordStore,
  describeResultCache,
  describeSessionRecords,
} from '@toolwright/testing';
import { linkWorkers } from '../../test/support/linked-workers.js';

/** Two workers that share nothing yet. */
function open() {
  const { clock, workers } = linkWorkers(2);
  const [mine, theirs] = workers.map(({ stores }) => stores);
  return { mine: mine!, theirs: theirs!, elapse: (ms: number) => clock.advance(ms) };
}

describeRateLimiter('WorkerStores', () => {
  const { mine, elapse } = open();
  return { limiter: mine.rateLimiter, elapse };
});

describeLeaseStore('WorkerStores', () => {
  const { mine, theirs } = open();
  return { store: mine.leases, peer: theirs.leases };
});

for (const port of ['claims', 'endedSessions'] as const)
  describeClaimStore(`WorkerStores.${port}`, () => {
    const { mine, elapse } = open();
    return { store: mine[port], elapse };
  });

describeEventBus('WorkerStores', () => {
  const { mine, theirs } = open();
  return { bus: mine.bus, peer: theirs.bus };
});

describeEventStore('WorkerStores', () => ({ store: open().mine.events }));

describeSessionRecords('WorkerStores', () => {
  const { mine, elapse } = open();
  return { records: mine.sessions, elapse };
});

describeResultCache('WorkerStores', () => {
  const { mine, elapse } = open();
  return { cache: mine.cache, elapse };
});

describeRecordStore('WorkerStores', () => {
  const { mine, elapse } = open();
  return { records: mine.records, elapse };
});
