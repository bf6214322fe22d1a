import { redisStores } from '@toolwright/redis';
import { describeIntegersInStores } from '../../core/test/support/describe-integers-in-stores.js';
import { describeWithRedis } from './support/redis-server.js';

describeWithRedis('integers of 64 bits', (redis) => {
  describeIntegersInStores('processes that share a Redis', () => ({
    stores: redisStores({ url: redis.url, timeout: 60_000 }),
  }));
});
