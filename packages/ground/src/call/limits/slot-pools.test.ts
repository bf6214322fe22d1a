import { FakeClock, settled } from '../../../../core/test/support/fake-clock.js';
import { RecordingLogger } from '../../../../core/test/support/recording-logger.js';
import { type LeaseStore, MemoryLeaseStore } from '../../ports/claim-store.js';
import { LeasedSlotPool } from './slot-pools.js';
import type { Release, SlotLimits } from './slot-pool.js';

const unlimited = { perKey: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY, queue: 1_000 };

let clock: FakeClock;
let logger: RecordingLogger;
beforeEach(() => {
  clock = new FakeClock();
  logger = new RecordingLogger();
});

/** The slots of one process. */
const poolOn = (leases: LeaseStore, limits: Partial<SlotLimits>) =>
  new LeasedSlotPool({ ...unlimited, ...limits }, 'tool work', { leases, clock, logger });

describe('Slots that processes share', () => {
  test('are never more than there may be, over all processes', async () => {
    const leases = new MemoryLeaseStore();
    const pools = [1, 2, 3].map(() => poolOn(leases, { total: 2 }));
    let running = 0;
    let most = 0;
    let done = 0;
    const work = async (pool: LeasedSlotPool, key: string) => {
      const release = (await pool.acquire({ key }))!;
      most = Math.max(most, ++running);
      await settled();
      running--;
      done++;
      release();
    };
    const all = Promise.all(
      Array.from({ length: 30 }, (_, index) => work(pools[index % 3]!, `key ${index}`)),
    );
    while (done < 30) await clock.advance(60);
    await all;
    expect({ most, load: pools.map(({ load }) => load.running) }).toEqual({ most: 2, load: [0, 0, 0] });
  });

  test('count each tenant on its own where the limit says so, over all processes', async () => {
    const leases = new MemoryLeaseStore();
    const [one, two] = [poolOn(leases, { perTenant: 1 }), poolOn(leases, { perTenant: 1 })];
    const of = (tenant: string, subject: string) => JSON.stringify(['tenant', tenant, '', subject]);
    expect(await one.acquire({ key: of('acme', 'ann') })).toBeInstanceOf(Function);
    const waiting = two.acquire({ key: of('acme', 'bob') });
    expect(await two.acquire({ key: of('globex', 'bob') })).toBeInstanceOf(Function);
    const isHeld = await Promise.race([waiting, settled().then(() => 'waits')]);
    expect(isHeld).toBe('waits');
    // A caller without a tenant counts as one.
    expect(await one.acquire({ key: '["","ann"]' })).toBeInstanceOf(Function);
    const again = two.acquire({ key: '["","ann"]' });
    expect(await Promise.race([again, settled().then(() => 'waits')])).toBe('waits');
  });

  test('count each caller on its own where the limit says so, without its name', async () => {
    const keys: string[] = [];
    const leases = new MemoryLeaseStore();
    const noting: LeaseStore = {
      acquire(limits) {
        keys.push(...limits.map(({ key }) => key));
        return leases.acquire(limits);
      },
    };
    const [one, two] = [poolOn(noting, { perKey: 1 }), poolOn(noting, { perKey: 1 })];
    expect(await one.acquire({ key: 'ann' })).toBeInstanceOf(Function);
    expect(await two.acquire({ key: 'bob' })).toBeInstanceOf(Function);
    const waiting = two.acquire({ key: 'ann' });
    await settled();
    expect(two.load).toEqual({ running: 2, waiting: 0 });
    expect(keys.join()).not.toMatch(/ann|bob/);
    void waiting;
  });

  test('are left by a call that gives up waiting', async () => {
    const leases = new MemoryLeaseStore();
    const [one, two] = [poolOn(leases, { total: 1 }), poolOn(leases, { total: 1 })];
    const release = (await one.acquire({ key: 'ann' })) as Release;
    const controller = new AbortController();
    const waiting = two.acquire({ key: 'bob', signal: () => controller.signal });
    await settled();
    controller.abort();
    expect(await waiting).toBeUndefined();
    expect([two.load.running, clock.pending]).toEqual([0, 0]);
    release();
    release();
    expect(await two.acquire({ key: 'bob' })).toBeInstanceOf(Function);
  });

  test.each<[string, LeaseStore['acquire']]>([
    ['fails', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['hangs', () => new Promise(() => undefined)],
  ])('become those of the process while the store %s, said once', async (_how, acquire) => {
    const pool = poolOn({ acquire }, { total: 2 });
    const slots = [1, 2, 3].map(async (number) => pool.acquire({ key: `${number}` }));
    await settled();
    await clock.advance(50);
    const [first, second] = await Promise.all(slots.slice(0, 2));
    expect([typeof first, typeof second, pool.load]).toEqual([
      'function',
      'function',
      { running: 2, waiting: 1 },
    ]);
    first!();
    await clock.advance(50);
    expect(await slots[2]).toBeInstanceOf(Function);
    expect(logger.lines.filter((line) => JSON.stringify(line).includes('does not answer'))).toHaveLength(1);
  });

  test('give back a lease that comes too late', async () => {
    let released = 0;
    let grant: (release: () => void) => void = () => undefined;
    const pool = poolOn({ acquire: () => new Promise((resolve) => (grant = resolve)) }, { total: 1 });
    const slot = pool.acquire({ key: 'ann' });
    await settled();
    await clock.advance(50);
    expect(await slot).toBeInstanceOf(Function);
    grant(() => void released++);
    await settled();
    expect(released).toBe(1);
  });
});
