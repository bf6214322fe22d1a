export { redisStores } from './redis-stores.js';
export type { ApplicationClient, RedisStoresOptions } from './redis-stores-options.js';
