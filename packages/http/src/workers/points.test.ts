import { setImmediate as turn } from 'node:timers/promises';
import { linkWorkers, type LinkedWorker } from '../../test/support/linked-workers.js';

const rule = { points: 600, perMs: 60_000 };

/** Calls one after the other, at each worker in its turn. */
async function callInTurn(workers: readonly LinkedWorker[], calls: number, used = rule): Promise<number> {
  let allowed = 0;
  for (let call = 0; call < calls; call++) {
    const { rateLimiter } = workers[call % workers.length]!.stores;
    if ((await rateLimiter.consume('ann', 1, used)).allowed) allowed++;
  }
  return allowed;
}

const questions = ({ sent }: LinkedWorker) => sent.filter(([kind]) => kind === 'ask').length;

describe('Points that workers share', () => {
  it.each([2, 3, 8])('are counted exactly by %i workers that call in turn', async (count) => {
    const { workers } = linkWorkers(count);
    expect(await callInTurn(workers, 1_000)).toBe(600);
  });

  it('are counted exactly when many calls arrive at once', async () => {
    const { workers } = linkWorkers(4);
    const decisions = await Promise.all(
      Array.from({ length: 2_000 }, async (_, call) =>
        workers[(call * 7) % 4]!.stores.rateLimiter.consume('ann', (call % 3) + 1, rule),
      ),
    );
    const used = decisions.reduce((sum, { allowed }, call) => sum + (allowed ? (call % 3) + 1 : 0), 0);
    expect(used).toBe(600);
  });

  it('are asked for seldom while there are many, and no more when there are none', async () => {
    const { workers } = linkWorkers(2);
    await callInTurn(workers, 600);
    const asked = workers.map(questions);
    expect(Math.max(...asked)).toBeLessThan(60);
    await callInTurn(workers, 600);
    // Each finds out once that nothing is left.
    expect(workers.map((worker, index) => questions(worker) - asked[index]!)).toEqual([1, 1]);
  });

  it('a grant is used at once, without a promise', async () => {
    const { workers } = linkWorkers(2);
    const { rateLimiter } = workers[0]!.stores;
    await rateLimiter.consume('ann', 1, rule);
    await rateLimiter.consume('ann', 1, rule);
    expect(rateLimiter.consume('ann', 1, rule)).toMatchObject({ allowed: true, remaining: 597 });
  });

  it('come back from a worker that does not need them before another is refused', async () => {
    const { workers } = linkWorkers(2);
    const [idle, busy] = workers as [LinkedWorker, LinkedWorker];
    await callInTurn([idle], 2);
    expect(await callInTurn([busy], 700)).toBe(598);
    expect(await callInTurn([idle], 1)).toBe(0);
  });

  it('are too few, and never too many, while a worker that has some does not answer', async () => {
    const { clock, workers } = linkWorkers(2);
    const [stuck, busy] = workers as [LinkedWorker, LinkedWorker];
    await callInTurn([stuck], 2);
    stuck.isBusy = true;
    let allowed = 0;
    for (let call = 0; call < 700; call++) {
      let isWaiting = true;
      const decision = Promise.resolve(busy.stores.rateLimiter.consume('ann', 1, rule)).finally(
        () => (isWaiting = false),
      );
      for (let turns = 0; turns < 4; turns++) await turn();
      // It waits for the stuck worker.
      if (isWaiting) clock.advance(500);
      if ((await decision).allowed) allowed++;
    }
    expect(allowed).toBe(598 - 74);
    stuck.wake();
    await turn();
    expect(await callInTurn([stuck, busy], 200)).toBe(74);
  });

  it('of a worker that has ended count as used', async () => {
    const { workers } = linkWorkers(2);
    const [ended, left] = workers as [LinkedWorker, LinkedWorker];
    await callInTurn([ended], 2);
    ended.isBusy = true;
    ended.connection.leave();
    expect(await callInTurn([left], 700)).toBe(598 - 74);
  });

  it('are all there again when their time has passed, and grants of before are void', async () => {
    const { clock, workers } = linkWorkers(2);
    expect(await callInTurn(workers, 100)).toBe(100);
    clock.advance(rule.perMs);
    expect(await callInTurn(workers, 1_000)).toBe(600);
  });

  it('without a limit are never refused', async () => {
    const { workers } = linkWorkers(2);
    expect(await callInTurn(workers, 100, { points: Infinity, perMs: Infinity })).toBe(100);
  });

  it('what one turn asks travels in one message', async () => {
    const { workers } = linkWorkers(2);
    const { rateLimiter } = workers[0]!.stores;
    await Promise.all(
      Array.from({ length: 30 }, async (_, key) => rateLimiter.consume(`user-${key}`, 1, rule)),
    );
    expect(workers[0]!.envelopes).toBe(1);
  });
});

describe('What a worker held when it ended', () => {
  it('its slots are free at once', async () => {
    const { workers } = linkWorkers(2);
    const [ended, left] = workers as [LinkedWorker, LinkedWorker];
    const limits = [{ key: 'render', max: 1 }];
    await ended.stores.leases.acquire(limits);
    expect(await left.stores.leases.acquire(limits)).toBeUndefined();
    ended.connection.leave();
    expect(await left.stores.leases.acquire(limits)).toBeDefined();
  });

  it('it gets no events any more', async () => {
    const { workers } = linkWorkers(2);
    const [ended, left] = workers as [LinkedWorker, LinkedWorker];
    const heard: unknown[] = [];
    ended.stores.bus.subscribe((event) => heard.push(event));
    ended.connection.leave();
    left.stores.bus.publish({ type: 'toolsListChanged' });
    await turn();
    await turn();
    expect(heard).toEqual([]);
  });
});

describe('The health of the workers', () => {
  it('is that of a store which is away while a worker is missing', async () => {
    const { clock, workers } = linkWorkers(1);
    const { connection, stores } = workers[0]!;
    connection.post(['pool', { wanted: 2, serving: 1 }]);
    clock.advance(5);
    await turn();
    await turn();
    expect(stores.health()).toEqual([{ store: 'workers', up: false, since: clock.now() }]);
    connection.post(['pool', { wanted: 2, serving: 2 }]);
    await turn();
    await turn();
    expect(stores.health()).toMatchObject([{ up: true }]);
  });
});
