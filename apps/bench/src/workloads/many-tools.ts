import { BASELINE } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import { httpLoad } from './http-load.js';
import { callExam } from './questions.js';
import type { Workload } from './workload.js';

/** The same contestant with many tools and with one, in turn within each round: minutes apart, a machine is another. */
export function manyTools(tools: number, dialects: Dialect[]): Workload {
  const calls = (count: number) =>
    httpLoad({ name: '', title: '', exam: callExam(count), connections: 16, dialects });
  const [many, one] = [calls(tools), calls(1)];
  return {
    name: `call-${tools}-1`,
    title: `tools/call with ${tools} tools against 1 tool, 16 connections`,
    metrics: [{ name: 'share', unit: 'of the rate with 1 tool', better: 'higher' }],
    baseline: BASELINE,
    dialectOf: many.dialectOf,
    enter: async (contestant, dialect, run) => {
      const entrants = [
        await one.enter(contestant, dialect, run),
        await many.enter(contestant, dialect, run),
      ];
      return {
        sample: async () => {
          const [few, lots] = [await entrants[0]!.sample(), await entrants[1]!.sample()];
          return { share: lots.rate! / few.rate! };
        },
        stop: async () => void (await Promise.all(entrants.map((entrant) => entrant.stop()))),
      };
    },
  };
}
