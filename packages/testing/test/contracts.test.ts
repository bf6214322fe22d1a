import {
  MemoryClaimStore,
  MemoryEventBus,
  MemoryEventStore,
  MemoryLeaseStore,
  MemoryRateLimiter,
  MemoryRecordStore,
  MemoryResultCache,
  MemorySessionRecords,
  MemoryTaskStore,
  randomIds,
  systemClock,
  type Clock,
} from '@toolwright/core/ports';
import {
  describeClaimStore,
  describeClock,
  describeEventBus,
  describeEventStore,
  describeIdSource,
  describeLeaseStore,
  describeRateLimiter,
  describeRecordStore,
  describeResultCache,
  describeSessionRecords,
  describeTaskQueue,
  describeTaskStore,
  MemoryTaskQueue,
} from '../src/index.js';

describeEventBus('MemoryEventBus', () => ({ bus: new MemoryEventBus() }));

describeEventStore('MemoryEventStore', () => ({ store: new MemoryEventStore() }));

describeClaimStore('MemoryClaimStore', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { store: new MemoryClaimStore(clock), elapse: (ms) => void (now += ms) };
});

describeRateLimiter('MemoryRateLimiter', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { limiter: new MemoryRateLimiter(clock), elapse: (ms) => void (now += ms) };
});

describeLeaseStore('MemoryLeaseStore', () => ({ store: new MemoryLeaseStore() }));

describeResultCache('MemoryResultCache', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { cache: new MemoryResultCache(clock), elapse: (ms) => void (now += ms) };
});

describeRecordStore('MemoryRecordStore', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { records: new MemoryRecordStore(clock), elapse: (ms) => void (now += ms) };
});

describeSessionRecords('MemorySessionRecords', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { records: new MemorySessionRecords(clock), elapse: (ms) => void (now += ms) };
});

describeTaskStore('MemoryTaskStore', () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  return { store: new MemoryTaskStore(clock, { maxPerOwner: 3 }), elapse: (ms) => void (now += ms) };
});

/** Time that passes when a test says so, with its timers. */
class TestClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now = () => this.#now;

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  elapse(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers])
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run();
  }
}

describeTaskStore('MemoryTaskQueue', () => {
  const clock = new TestClock();
  return { store: new MemoryTaskQueue(clock, { maxPerOwner: 3 }), elapse: (ms) => clock.elapse(ms) };
});

describeTaskQueue('MemoryTaskQueue', () => {
  const clock = new TestClock();
  const queue = new MemoryTaskQueue(clock, { maxPerOwner: 30 });
  return {
    queue,
    peer: queue.peer(),
    elapse: (ms: number) => clock.elapse(ms),
    loseRun: (taskId) => queue.loseRun(taskId),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  };
});

/** The one clock that only real time moves. */
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describeClock('the system clock', () => ({ clock: systemClock, elapse: sleep }));

describeIdSource('random ids', () => ({ ids: randomIds }));
