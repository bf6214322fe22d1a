import type { Metric, Workload } from './workload.js';

export const share = (unit: string): Metric => ({ name: 'share', unit, better: 'higher' });

/**
 * A workload, and the share of another's rate that it reaches with the same contestant. Both are measured in turn within
 * each round: minutes apart, a machine is another.
 */
export function against(workload: Workload, other: Workload, unit: string): Workload {
  return {
    ...workload,
    metrics: [...workload.metrics, share(unit)],
    secondsOf: (seconds) => 2 * seconds,
    enter: async (contestant, dialect, run) => {
      const reference = await other.enter(contestant, dialect, run);
      try {
        const entrant = await workload.enter(contestant, dialect, run);
        return {
          sample: async () => {
            const { rate } = await reference.sample();
            const sample = await entrant.sample();
            return { ...sample, share: sample['rate']! / rate! };
          },
          stop: async () => void (await Promise.all([reference.stop(), entrant.stop()])),
        };
      } catch (error) {
        await reference.stop();
        throw error;
      }
    },
  };
}
