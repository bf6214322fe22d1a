import { type ServerStores, silentLogger, systemClock } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { describeProxy } from './support/describe-proxy.js';

/** Opens stores for each replica, as each process of a fleet has its own. */
function recordsOf(make: () => ServerStores) {
  const open: ServerStores[] = [];
  return {
    async records() {
      const stores = make();
      open.push(stores);
      await stores.open?.({ clock: systemClock, logger: silentLogger });
      return stores.records!;
    },
    async close() {
      for (const stores of open.splice(0)) await stores.close?.();
    },
  };
}

describeWithRedis('The proxy on Redis', (redis) => {
  const stores = recordsOf(() => redisStores({ url: redis.url, timeout: '1m' }));
  afterAll(async () => {
    await stores.close();
  });
  describeProxy('Replicas of the proxy, with records in Redis', stores.records);
});

describePostgres('The proxy on PostgreSQL', (postgres) => {
  const stores = recordsOf(() =>
    postgresStores({ url: postgres.server.url, schema: 'proxy', timeout: 60_000 }),
  );
  afterAll(() => stores.close());
  describeProxy('Replicas of the proxy, with records in PostgreSQL', stores.records);
});
