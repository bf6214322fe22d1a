import { startRedis } from '../processes/redis-server.js';
import { against } from './against.js';
import { httpLoad, type HttpLoad } from './http-load.js';
import type { Workload } from './workload.js';

/** Calls that several processes count together, in Redis. */
export function callRedis(load: HttpLoad): Workload {
  const shared: Workload = {
    ...httpLoad(load),
    enter: async (contestant, dialect, run) => {
      const redis = await startRedis();
      const exam = { ...load.exam, offers: { ...load.exam.offers, redis: redis.url } };
      try {
        const entrant = await httpLoad({ ...load, exam }).enter(contestant, dialect, run);
        const stop = async () => {
          await entrant.stop();
          redis.stop();
        };
        return { ...entrant, stop };
      } catch (error) {
        redis.stop();
        throw error;
      }
    },
  };
  return against(shared, httpLoad(load), 'of the rate without Redis');
}
