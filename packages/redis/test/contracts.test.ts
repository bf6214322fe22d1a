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
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithEach, RedisServer } from './support/redis-server.js';

describeWithEach('the stores on a server', (kind) => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.startKind(kind);
  });

  afterAll(() => server.stop());

  /** Two processes on one empty Redis. */
  async function open(): Promise<{ mine: OpenStores; theirs: OpenStores; close(): Promise<void> }> {
    server.cli('FLUSHALL');
    const [mine, theirs] = await Promise.all([
      openStores({ url: server.url }),
      openStores({ url: server.url }),
    ]);
    return {
      mine,
      theirs,
      close: async () => {
        await Promise.all([mine.close(), theirs.close()]);
      },
    };
  }

  /** Brings the end of all keys nearer. It has the effect of time, without the waiting. */
  function elapse(ms: number): void {
    server.cli(
      'EVAL',
      `for _, key in ipairs(redis.call('KEYS', '*')) do
         local left = redis.call('PTTL', key)
         if left >= 0 then redis.call('PEXPIRE', key, left - tonumber(ARGV[1])) end
       end`,
      '0',
      String(ms),
    );
  }

  describeRateLimiter('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { limiter: mine.rateLimiter, peer: theirs.rateLimiter, elapse, close };
  });

  describeLeaseStore('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { store: mine.leases, peer: theirs.leases, close };
  });

  describeClaimStore('redisStores', async () => {
    const { mine, close } = await open();
    return { store: mine.claims, elapse, close };
  });

  describeEventBus('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { bus: mine.bus, peer: theirs.bus, close };
  });

  describeEventStore('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { store: mine.events, peer: theirs.events, close };
  });

  describeSessionRecords('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { records: mine.sessions, peer: theirs.sessions, elapse, close };
  });

  describeRecordStore('redisStores', async () => {
    const { mine, close } = await open();
    return { records: mine.records, elapse, close };
  });

  describeResultCache('redisStores', async () => {
    const { mine, theirs, close } = await open();
    return { cache: mine.cache, peer: theirs.cache, elapse, close };
  });
});
