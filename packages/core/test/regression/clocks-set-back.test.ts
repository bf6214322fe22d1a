import { ProgressReporter } from '@toolwright/ground/call/context/progress-reporter';
import { TimedStore } from '@toolwright/ground/call/limits/timed-store';
import { MemoryClaimStore } from '@toolwright/ground/ports/claim-store';
import { wallTime } from '@toolwright/ground/ports/clock-and-ids';
import { MemoryTaskStore } from '@toolwright/ground/ports/memory-task-store';
import { MemoryRateLimiter } from '@toolwright/ground/ports/rate-limiter';
import { MemoryRecordStore, MemorySessionRecords } from '@toolwright/ground/ports/record-store';
import { MemoryResultCache } from '@toolwright/ground/ports/result-cache';
import { MemoryTaskQueue } from '@toolwright/testing';
import { boot } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';

// Somebody sets the machine's clock, by an hour, in the middle of things. What waits or lasts within a process is not
// concerned: it goes by the monotonic clock.
const HOUR = 3_600_000;
const LIFE = 60_000;

/** Puts something away for a minute, and returns whether it is still there. */
const kept: Record<string, (clock: FakeClock) => () => unknown> = {
  'a cached result': (clock) => {
    const cache = new MemoryResultCache(clock);
    cache.set('key', 'result', LIFE);
    return () => cache.get('key') !== undefined;
  },
  'a claim': (clock) => {
    const claims = new MemoryClaimStore(clock);
    claims.claim('key', LIFE);
    return () => claims.has('key');
  },
  'a record': (clock) => {
    const records = new MemoryRecordStore(clock);
    records.put('room', 'id', 'value', { was: undefined, ttlMs: LIFE });
    return () => records.get('room', 'id') !== undefined;
  },
  'a record of a session': (clock) => {
    const records = new MemorySessionRecords(clock);
    records.set('key', {} as never, LIFE);
    return () => records.get('key') !== undefined;
  },
  'a task': (clock) => {
    const tasks = new MemoryTaskStore(clock);
    tasks.create({ id: 'task', owner: 'ann', ttlMs: LIFE, pollIntervalMs: 1_000, tool: 'work' });
    return () => tasks.get('task') !== undefined && tasks.admin().list(10) !== undefined;
  },
  'a window of a rate limit': (clock) => {
    const limiter = new MemoryRateLimiter(clock);
    const rule = { points: 1, perMs: LIFE };
    limiter.consume('caller', 1, rule);
    return () => !limiter.consume('caller', 1, rule).allowed;
  },
};

describe.each([
  ['back', -HOUR],
  ['forward', HOUR],
])('when the clock was set %s', (_direction, ms) => {
  test.each(Object.entries(kept))('%s lasts as long as it should', async (_name, put) => {
    const clock = new FakeClock();
    const isThere = put(clock);
    clock.set(ms);
    await clock.advance(LIFE - 1);
    expect(isThere()).toBe(true);
    await clock.advance(1);
    expect(isThere()).toBe(false);
  });

  test('progress goes on', async () => {
    const clock = new FakeClock();
    const sent: unknown[] = [];
    const reporter = new ProgressReporter(
      clock,
      (report) => void sent.push(report),
      () => false,
    );
    for (let progress = 1; progress <= 100; progress++) reporter.report({ progress });
    const before = sent.length;
    clock.set(ms);
    await clock.advance(2_000);
    reporter.report({ progress: 200 });
    expect(sent.length).toBeGreaterThan(before);
    expect(sent.at(-1)).toEqual({ progress: 200 });
  });

  test('a store that hangs is given up in time', async () => {
    const clock = new FakeClock();
    const store = new TimedStore('store', { clock, logger: new RecordingLogger() });
    const answer = store.ask(
      () => new Promise<string>(() => undefined),
      () => undefined,
    );
    clock.set(ms);
    await clock.advance(1_000);
    expect(await answer).toBeUndefined();
  });

  test('a moment that people see is a time of the wall clock', async () => {
    const clock = new FakeClock();
    const began = clock.monotonic();
    clock.set(ms);
    await clock.advance(LIFE);
    expect(wallTime(clock, began)).toBe(clock.now() - LIFE);
  });

  test('the load of a queue is read again after a second', async () => {
    const clock = new FakeClock();
    let read = 0;
    class Queue extends MemoryTaskQueue {
      override load() {
        read += 1;
        return super.load();
      }
    }
    const secrets = ['0123456789abcdef0123456789abcdef'];
    const server = await boot({ ports: { clock }, stores: { tasks: new Queue(clock) }, secrets });
    await server.protocol.taskLoad;
    const before = read;
    clock.set(ms);
    await clock.advance(999);
    await server.protocol.taskLoad;
    expect(read).toBe(before);
    await clock.advance(1);
    await server.protocol.taskLoad;
    expect(read).toBe(before + 1);
    await server.close(0);
  });
});
