import type { StoredEvent } from '@toolwright/core/ports';
import { AWAY } from './support/log-lines.js';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

const event = (index: number, text = `event ${index}`): StoredEvent => ({ id: `a_${index}`, text });
const indices = (length: number) => Array.from({ length }, (_, index) => index);

describeWithRedis('events in Redis', () => {
  let server: RedisServer;
  let mine: OpenStores;
  let theirs: OpenStores;

  beforeEach(async () => {
    server = await RedisServer.start();
    const options = { url: server.url, maxEvents: 10, maxEventBytes: 1_000 };
    mine = await openStores({ ...options, timeout: 1_000 });
    theirs = await openStores(options);
  });

  afterEach(async () => {
    await mine.close();
    await theirs.close();
    await server.stop();
  });

  const idsAfter = async (id: string, session = 's') =>
    (await theirs.events.after(session, 'a', id)).map((each) => each.id);

  it('are replayed by another process, in the order in which they were appended without waiting', async () => {
    server.cli('SCRIPT', 'FLUSH');
    await Promise.all(indices(10).map(async (index) => mine.events.append('s', 'a', event(index))));
    expect(await theirs.events.after('s', 'a', 'a_0')).toEqual(
      indices(10)
        .slice(1)
        .map((index) => event(index)),
    );
  });

  it('are kept up to a number', async () => {
    for (const index of indices(15)) await mine.events.append('s', 'a', event(index));
    expect(await idsAfter('a_5')).toEqual(
      indices(15)
        .slice(6)
        .map((index) => `a_${index}`),
    );
    expect(await idsAfter('a_4')).toHaveLength(10);
    expect(await idsAfter('a_3')).toEqual([]);
  });

  it('are kept up to a number of bytes', async () => {
    for (const index of indices(6)) await mine.events.append('s', 'a', event(index, 'é'.repeat(200)));
    expect(await idsAfter('a_2')).toEqual(['a_3', 'a_4', 'a_5']);
    expect(await idsAfter('a_1')).toEqual([]);
    for (const index of indices(10)) await mine.events.append('s', 'a', event(index + 6, ''));
    expect(await idsAfter('a_6')).toHaveLength(9);
  });

  it('that are larger than all may be together are kept until the next one', async () => {
    await mine.events.append('s', 'a', event(0));
    await mine.events.append('s', 'a', event(1, 'x'.repeat(1_001)));
    expect(await idsAfter('a_0')).toEqual(['a_1']);
    await mine.events.append('s', 'b', { id: 'b_0', text: '' });
    await mine.events.append('s', 'a', event(2));
    expect(await idsAfter('a_0')).toEqual([]);
    expect(await idsAfter('a_1')).toEqual(['a_2']);
  });

  it('wait while Redis is silent, and are stored once', async () => {
    await mine.events.append('s', 'a', event(0));
    server.pause();
    const appended = [1, 2].map(async (index) => mine.events.append('s', 'a', event(index)));
    await mine.log.heard(AWAY);
    appended.push((async () => mine.events.append('s', 'a', { ...event(3), last: true }))());
    server.resume();
    await Promise.all(appended);
    await mine.events.append('s', 'a', event(4));

    expect(await theirs.events.after('s', 'a', 'a_0')).toEqual([
      event(1),
      event(2),
      { ...event(3), last: true },
      event(4),
    ]);
  });

  it('wait while Redis is started again', async () => {
    // Without "always", Redis may answer before it has written to its file, and the killed server loses the event.
    const lasting = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always');
    const stores = await openStores({ url: lasting.url });
    try {
      await stores.events.append('s', 'a', event(0));
      await lasting.kill();
      await stores.log.heard(AWAY);
      const appended = stores.events.append('s', 'a', event(1));
      await lasting.start();
      await appended;
      await stores.events.append('s', 'a', event(2));
      expect(await stores.events.after('s', 'a', 'a_0')).toEqual([event(1), event(2)]);
    } finally {
      await stores.close();
      await lasting.stop();
    }
  });

  it('wait while Redis refuses them', async () => {
    server.cli('CONFIG', 'SET', 'maxmemory', '1');
    const appended = mine.events.append('s', 'a', event(0));
    const next = mine.events.append('s', 'a', event(1));
    await expect(mine.claims.claim('a', 1_000)).rejects.toThrow('OOM');
    server.cli('CONFIG', 'SET', 'maxmemory', '0');
    await Promise.all([appended, next]);
    expect(await idsAfter('a_0')).toEqual(['a_1']);
  });

  it('are not replayed across one that was lost, because too many were waiting', async () => {
    await mine.events.append('s', 'a', event(0));
    await mine.events.append('other', 'a', event(0));
    await server.kill();
    await mine.log.heard(AWAY);
    const first = mine.events.append('s', 'a', event(1));
    const others = indices(4_095).map(async (index) => mine.events.append('many', 'a', event(index)));
    await expect(mine.events.append('s', 'a', event(2))).rejects.toThrow('Too many events wait for Redis.');
    await server.start();
    await first;
    await Promise.all(others);

    await mine.events.append('s', 'a', event(3));
    await mine.events.append('s', 'a', event(4));
    expect(await idsAfter('a_1')).toEqual([]);
    expect(await idsAfter('a_3')).toEqual(['a_4']);
  });

  it('that wait end with the server', async () => {
    await server.kill();
    await mine.log.heard(AWAY);
    const appended = mine.events.append('s', 'a', event(0));
    await Promise.all([expect(appended).rejects.toThrow('before Redis was back'), mine.close()]);
  });

  it('leave nothing behind when their session ends, and end by themselves otherwise', async () => {
    await mine.events.append('s', 'a', event(0));
    await mine.events.append('s', 'b', event(1));
    for (const key of server.keys()) expect(Number(server.cli('PTTL', key))).toBeGreaterThan(3_000_000);
    await mine.events.drop('s');
    expect(server.keys()).toEqual([]);
  });
});

describeWithRedis('cached results in Redis', () => {
  it('are kept up to a number of bytes each', async () => {
    const server = await RedisServer.start();
    const stores = await openStores({ url: server.url, maxCachedBytes: 100 });
    await stores.cache.set('small', 'x'.repeat(98), 60_000);
    await stores.cache.set('large', 'é'.repeat(50), 60_000);
    await stores.cache.set('nothing', undefined, 60_000);
    expect(await stores.cache.get('small')).toHaveLength(98);
    expect(await stores.cache.get('large')).toBeUndefined();
    expect(await stores.cache.get('nothing')).toBeUndefined();
    await stores.close();
    await server.stop();
  });
});
