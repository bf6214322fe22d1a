import { MemoryRateLimiter, systemClock, type Clock } from '@toolwright/core/ports';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis } from './support/redis-server.js';

const DAY_MS = 86_400_000;

describeWithRedis('rate limits in Redis', (server) => {
  const open: OpenStores[] = [];

  afterEach(async () => {
    for (const stores of open.splice(0)) await stores.close();
    server.cli('FLUSHALL');
  });

  const opened = async (clock?: Clock): Promise<OpenStores> => {
    const stores = await openStores({ url: server.url }, clock);
    open.push(stores);
    return stores;
  };

  it('allow exactly as many points as there are, however many processes ask at once', async () => {
    const ahead = { ...systemClock, now: () => Date.now() + DAY_MS };
    const behind = { ...systemClock, now: () => Date.now() - DAY_MS };
    const processes = await Promise.all([opened(), opened(ahead), opened(behind)]);
    const rule = { points: 250, perMs: 60_000 };

    const decisions = await Promise.all(
      Array.from({ length: 600 }, async (_, index) =>
        processes[index % 3]!.rateLimiter.consume('ann', 1, rule),
      ),
    );

    const allowed = decisions.filter((each) => each.allowed);
    expect(allowed).toHaveLength(250);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(250);
  });

  it('are shown to operators with the points of all processes, and given back', async () => {
    const [one, other] = await Promise.all([opened(), opened()]);
    const rule = { points: 5, perMs: 60_000 };
    await other.rateLimiter.consume('tool greet ann', 2, rule);
    await one.rateLimiter.consume('tool greet ann', 1, rule);
    const [use] = [...one.rateLimiter.uses!()];
    expect(use).toMatchObject({ key: 'tool greet ann', rule, used: 3 });
    expect(use!.resetsAt).toBeGreaterThan(Date.now());

    one.rateLimiter.reset!('tool greet ann', rule);
    expect([...one.rateLimiter.uses!()]).toEqual([]);
    while (server.cli('--scan', '--pattern', '*limit*').trim() !== '')
      await new Promise((next) => setImmediate(next));
    expect(await one.rateLimiter.consume('tool greet ann', 1, rule)).toMatchObject({ remaining: 4 });
  });

  it('decide as the limiter in memory does', async () => {
    const { rateLimiter } = await opened();
    const memory = new MemoryRateLimiter();
    const calls = [
      { points: 5, costs: [2, 4, 3, 1, 0] },
      { points: 1, costs: [2, 1, 1] },
      { points: 2.5, costs: [0.1, 0.2, 2.3, 2.2, 0.1] },
    ];
    for (const { points, costs } of calls) {
      const rule = { points, perMs: 60_000 };
      for (const cost of costs) {
        const { allowed, remaining } = memory.consume('ann', cost, rule);
        expect(await rateLimiter.consume('ann', cost, rule)).toMatchObject({ allowed, remaining });
      }
    }
  });

  it('begin a window with the first call, also when it is refused', async () => {
    const { rateLimiter } = await opened();
    const rule = { points: 1, perMs: 60_000 };
    await rateLimiter.consume('ann', 2, rule);
    expect(server.keys()).toEqual([expect.stringMatching(/^toolwright:limit:1\/60000:/)]);
    expect(Number(server.cli('PTTL', ...server.keys()))).toBeGreaterThan(0);
  });

  it('mend a window that somebody has made endless', async () => {
    const { rateLimiter } = await opened();
    const rule = { points: 1, perMs: 60_000 };
    await rateLimiter.consume('ann', 1, rule);
    server.cli('PERSIST', ...server.keys());
    expect((await rateLimiter.consume('ann', 1, rule)).allowed).toBe(true);
    expect((await rateLimiter.consume('ann', 1, rule)).allowed).toBe(false);
  });

  it('go on when Redis has forgotten its scripts', async () => {
    const { rateLimiter } = await opened();
    const rule = { points: 5, perMs: 60_000 };
    await rateLimiter.consume('ann', 1, rule);
    server.cli('SCRIPT', 'FLUSH');
    expect(await rateLimiter.consume('ann', 1, rule)).toMatchObject({ allowed: true, remaining: 3 });
  });

  it('write nobody into the key space', async () => {
    const { rateLimiter, claims, leases, sessions, events, cache } = await opened();
    await rateLimiter.consume('tool search ann@example.org', 1, { points: 1, perMs: 60_000 });
    await claims.claim('ann@example.org', 60_000);
    await leases.acquire([{ key: 'ann@example.org', max: 1 }]);
    await sessions.set('ann@example.org', { subscriptions: [] }, 60_000);
    await events.append('ann@example.org', 'a', { id: 'a_0', text: '' });
    await cache.set('ann@example.org', 1, 60_000);
    const keys = server.keys();
    expect(keys).toHaveLength(7);
    for (const key of keys) expect(key).not.toMatch(/ann@|example\.org/);
  });
});
