import type { ServerEvent } from '@toolwright/core/ports';
import { UnreliableLink } from '@toolwright/testing';
import { AWAY, BACK } from './support/log-lines.js';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

const rule = { points: 100, perMs: 60_000 };
/** For tests in which Redis is silent, or away at the end: they wait so long. */
const timeout = 1_000;
const missed: ServerEvent = { type: 'eventsMissed' };

describeWithRedis('while Redis is away', () => {
  let server: RedisServer;
  const open: { close(): unknown }[] = [];

  const opened = async (url: string, options: { timeout?: number } = {}): Promise<OpenStores> => {
    const stores = await openStores({ url, ...options });
    open.push(stores);
    return stores;
  };

  beforeEach(async () => {
    server = await RedisServer.start();
  });

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await server.stop();
  });

  /** Resolves with the events when the last one of them is there. */
  function eventsUntil(stores: OpenStores, last: ServerEvent['type']): Promise<ServerEvent[]> {
    const seen: ServerEvent[] = [];
    return new Promise((resolve) => {
      const stop = stores.bus.subscribe((event) => {
        seen.push(event);
        if (event.type !== last) return;
        stop();
        resolve(seen);
      });
    });
  }

  it('says so once, refuses what needs it, and goes on when Redis was started again', async () => {
    const stores = await opened(server.url);
    expect(stores.health()).toMatchObject([{ store: 'redis', up: true }]);

    await server.kill();
    await stores.log.heard(AWAY);

    expect(stores.health()).toMatchObject([{ store: 'redis', up: false }]);
    // Of the two connections, the one for commands may be lost with this command only.
    await expect(stores.rateLimiter.consume('ann', 1, rule)).rejects.toThrow();
    await expect(stores.rateLimiter.consume('ann', 1, rule)).rejects.toThrow('Redis is away.');
    await expect(stores.claims.claim('a', 1_000)).rejects.toThrow('Redis is away.');
    await expect(stores.claims.release('a')).rejects.toThrow('Redis is away.');
    await expect(stores.leases.acquire([{ key: 'a', max: 1 }])).rejects.toThrow('Redis is away.');
    await expect(stores.events.after('s', 'a', 'a_0')).rejects.toThrow('Redis is away.');
    await expect(stores.sessions.get('a')).rejects.toThrow('Redis is away.');

    await server.start();
    await stores.log.heard(BACK);

    expect(stores.health()).toMatchObject([{ store: 'redis', up: true }]);
    expect((await stores.rateLimiter.consume('ann', 1, rule)).remaining).toBe(99);
    expect(stores.log.messages).toEqual([AWAY, BACK]);
  });

  it.each([
    ['full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0'], /^OOM/],
    ['a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], /^READONLY/],
  ])('also when it is %s: it answers, but takes no writes', async (_, break_, mend, reason) => {
    const stores = await opened(server.url);
    expect(stores.health()).toMatchObject([{ up: true }]);
    server.cli(...break_);
    // Nobody calls: the stores notice it themselves.
    await stores.log.heard('Redis refuses writes');
    expect(stores.log.lines.at(-1)!.fields).toMatchObject({
      reason: expect.stringMatching(reason) as string,
    });
    expect(stores.health()).toMatchObject([{ store: 'redis', up: false }]);
    await expect(stores.claims.claim('a', 1_000)).rejects.toThrow('Redis is away.');
    await expect(stores.rateLimiter.consume('ann', 1, rule)).rejects.toThrow('Redis is away.');
    server.cli(...mend);
    await stores.log.heard('Redis takes writes again');
    expect(stores.health()).toMatchObject([{ store: 'redis', up: true }]);
    expect(await stores.claims.claim('a', 1_000)).toBe(true);
    expect(stores.log.messages).toEqual(['Redis refuses writes', 'Redis takes writes again']);
  });

  it('knows at the start that it takes no writes', async () => {
    server.cli('CONFIG', 'SET', 'maxmemory', '1');
    const stores = await opened(server.url);
    expect(stores.health()).toMatchObject([{ store: 'redis', up: false }]);
    expect(stores.log.messages).toEqual(['Redis refuses writes']);
  });

  it('notices a refused write with the call that is refused', async () => {
    const stores = await opened(server.url);
    server.cli('CONFIG', 'SET', 'maxmemory', '1');
    await expect(stores.claims.claim('a', 1_000)).rejects.toThrow(/OOM|away/);
    await stores.log.heard('Redis refuses writes');
    expect(stores.health()).toMatchObject([{ up: false }]);
  });

  it('lets sessions end, with events that end by themselves', async () => {
    const stores = await opened(server.url, { timeout });
    await server.kill();
    await stores.log.heard(AWAY);
    await expect(stores.events.drop('s')).resolves.toBeUndefined();
  });

  it('knows no cached result, and stores none', async () => {
    const stores = await opened(server.url, { timeout });
    await stores.cache.set('a', 1, 60_000);
    await server.kill();
    await stores.log.heard(AWAY);

    await stores.cache.set('a', 2, 60_000);
    expect(await stores.cache.get('a')).toBeUndefined();
  });

  it('notices that a server has gone silent, ends the calls that wait, and tries no further ones', async () => {
    const stores = await opened(server.url, { timeout });
    server.pause();
    try {
      const calls = Array.from({ length: 50 }, async () => stores.rateLimiter.consume('ann', 1, rule));
      for (const call of await Promise.allSettled(calls))
        expect(call).toMatchObject({
          status: 'rejected',
          reason: { message: 'Redis took too long to answer.' },
        });
      await expect(stores.rateLimiter.consume('ann', 1, rule)).rejects.toThrow('Redis is away.');
      expect(stores.health()).toMatchObject([{ up: false }]);
    } finally {
      server.resume();
    }
    await stores.log.heard(BACK);
    expect((await stores.rateLimiter.consume('bob', 1, rule)).allowed).toBe(true);
    expect(stores.log.messages).toEqual([AWAY, BACK]);
  });

  it('notices it without any call, too', async () => {
    const stores = await opened(server.url, { timeout });
    server.pause();
    await stores.log.heard(AWAY);
    server.resume();
    await stores.log.heard(BACK);
    expect(stores.health()).toMatchObject([{ up: true }]);
  });

  it('lets no more than 10,000 commands wait', async () => {
    const stores = await opened(server.url, { timeout });
    server.pause();
    try {
      const claims = Array.from({ length: 10_001 }, async (_, index) =>
        stores.claims.claim(`${index}`, 1_000),
      );
      await expect(claims.at(-1)).rejects.toThrow('Too many commands wait for Redis.');
      await Promise.allSettled(claims);
    } finally {
      server.resume();
    }
  });

  it('leaves a connection that loses everything for a new one', async () => {
    const link = await UnreliableLink.to(server.port);
    open.unshift(link);
    const stores = await opened(`redis://127.0.0.1:${link.port}`, { timeout });

    link.silence();
    link.mend();
    await stores.log.heard(AWAY);
    await stores.log.heard(BACK);

    expect((await stores.rateLimiter.consume('ann', 1, rule)).allowed).toBe(true);
  });

  it('brings events to the listeners of its own process', async () => {
    const stores = await opened(server.url, { timeout });
    await server.kill();
    await stores.log.heard(AWAY);

    const events = eventsUntil(stores, 'toolsListChanged');
    await stores.bus.publish({ type: 'toolsListChanged' });

    expect(await events).toEqual([{ type: 'toolsListChanged' }]);
  });

  it('tells its listeners afterwards that they may have missed events', async () => {
    const link = await UnreliableLink.to(server.port);
    open.unshift(link);
    const [cut, other] = [await opened(`redis://127.0.0.1:${link.port}`), await opened(server.url)];
    const events = eventsUntil(cut, 'eventsMissed');

    link.cut();
    await cut.log.heard(AWAY);
    await other.bus.publish({ type: 'toolsListChanged' });
    await other.claims.claim('published before', 1_000);
    link.mend();

    expect(await events).toEqual([missed]);
    const next = eventsUntil(cut, 'promptsListChanged');
    await other.bus.publish({ type: 'promptsListChanged' });
    expect(await next).toEqual([{ type: 'promptsListChanged' }]);
  });

  it('tells the other processes afterwards that they have missed events, if there were any', async () => {
    const link = await UnreliableLink.to(server.port);
    open.unshift(link);
    const [cut, other] = [await opened(`redis://127.0.0.1:${link.port}`), await opened(server.url)];
    const events = eventsUntil(other, 'promptsListChanged');

    link.cut();
    await cut.log.heard(AWAY);
    await cut.bus.publish({ type: 'toolsListChanged' });
    link.mend();
    await cut.log.heard(BACK);
    link.cut();
    await cut.log.heard(AWAY, 2);
    link.mend();
    await cut.log.heard(BACK, 2);
    await cut.bus.publish({ type: 'promptsListChanged' });

    expect(await events).toEqual([missed, { type: 'promptsListChanged' }]);
  });

  it('lets a server start, and says when Redis is there', async () => {
    await server.kill();
    const stores = await opened(server.url, { timeout });
    expect(stores.health()).toMatchObject([{ up: false }]);
    const events = eventsUntil(stores, 'eventsMissed');

    await server.start();
    await stores.log.heard(BACK);

    expect(await stores.claims.claim('a', 1_000)).toBe(true);
    expect(await events).toEqual([missed]);
    expect(stores.log.messages).toEqual([AWAY, BACK]);
  });

  it('counts as away while Redis loads its data', async () => {
    const stores = await opened(server.url, { timeout });
    server.cli('EVAL', "for i = 1, 300 do redis.call('SET', 'key ' .. i, i) end", '0');
    server.cli('SAVE');
    await server.kill();
    await stores.log.heard(AWAY);

    const started = server.start(
      '--key-load-delay',
      '3000',
      '--loading-process-events-interval-bytes',
      '1024',
    );
    await stores.log.heard(BACK);

    expect(await stores.claims.claim('a', 1_000)).toBe(true);
    await started;
  });

  it('lets a server end', async () => {
    const stores = await opened(server.url, { timeout });
    await stores.leases.acquire([{ key: 'a', max: 1 }]);
    server.pause();
    await stores.close();
    server.resume();
    await expect(stores.claims.claim('a', 1_000)).rejects.toThrow('Redis is away.');
  });
});
