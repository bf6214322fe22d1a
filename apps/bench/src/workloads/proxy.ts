import { contestants } from '../contestants/catalogue.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { httpLoad, type HttpLoad } from './http-load.js';
import type { Workload } from './workload.js';

const upstream = contestants.find(({ name }) => name === 'node-http')!;

/** Calls that a server passes on to another one. That one is plain, and runs beside the load. */
export function proxy(load: HttpLoad): Workload {
  return {
    ...httpLoad(load),
    enter: async (contestant, dialect, run) => {
      const settings = { transport: 'http' as const, dialect: 'modern' as const, tools: 1, progress: false };
      const place = { ...run.place, cores: { server: undefined } };
      const behind = ContestantServer.spawn(upstream, { ...settings, generated: '' }, place);
      try {
        const offers = { ...load.exam.offers, upstream: await behind.ready() };
        const exam = { ...load.exam, offers };
        const entrant = await httpLoad({ ...load, exam }).enter(contestant, dialect, run);
        const stop = async () => void (await Promise.all([entrant.stop(), behind.stop()]));
        return { ...entrant, stop };
      } catch (error) {
        await behind.stop();
        throw error;
      }
    },
  };
}
