import { redisStores } from '@toolwright/redis';
import { describeIntegersInStores } from '../../core/test/support/describe-integers-in-stores.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

describeWithRedis('integers of 64 bits', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.stop());
  describeIntegersInStores('processes that share a Redis', () => ({
    stores: redisStores({ url: redis.url, timeout: 60_000 }),
  }));
});
