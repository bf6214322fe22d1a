import { systemClock, type Clock } from '@toolwright/core/ports';
import { redisStores, type RedisStoresOptions } from '@toolwright/redis';
import { LogLines } from './log-lines.js';

/**
 * Stores that are open, as a server has them, with what they log. They wait two seconds for Redis, which may share a busy
 * machine. A test in which Redis is silent sets `timeout`.
 */
export async function openStores(options: RedisStoresOptions, clock: Clock = systemClock) {
  const stores = redisStores({ timeout: 2_000, ...options });
  const log = new LogLines();
  await stores.open({ clock, logger: log });
  return Object.assign(stores, { log });
}

export type OpenStores = Awaited<ReturnType<typeof openStores>>;
