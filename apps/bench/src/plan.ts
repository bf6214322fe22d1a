import type { Contestant } from './contestants/catalogue.js';
import type { Options } from './options.js';
import { dialectIn } from './workloads/measure.js';
import { published } from './workloads/published.js';
import type { Run, Workload } from './workloads/workload.js';

/** A workload, and who is asked to take part. */
export interface Planned {
  workload: Workload;
  contestants: Contestant[];
}

/** What a run measures on each Node.js. Contestants that were named on the command line take part everywhere. */
export function planOf({ workloads, contestants, publish, named }: Options): Planned[] {
  const isPublished = ({ name }: Workload, contestant: Contestant) =>
    published[name]?.includes(contestant.name) ?? false;
  return workloads
    .map((workload) => ({
      workload,
      contestants: contestants.filter(
        (contestant) =>
          dialectIn(workload, contestant) !== undefined &&
          (!publish || named || isPublished(workload, contestant)),
      ),
    }))
    .filter((planned) => planned.contestants.length > 0);
}

/** Until a process has started, has been asked for the first time, and has ended. */
const START = 0.7;
/** What a turn takes besides its load: asking for the CPU time, checking an answer, starting the load. */
const TURN = 0.15;
/** Generating and building the servers with up to 1,000 tools. */
const BUILD = 40;

/** How many minutes a plan takes on an idle machine, about. */
export function estimateMinutes(
  plan: Planned[],
  run: Pick<Run, 'warmUps' | 'rounds' | 'seconds'>,
  nodes: number,
): number {
  const seconds = plan.map(({ workload, contestants }) => {
    const warmUps = workload.warmUps ?? run.warmUps;
    const rounds = Math.min(run.rounds, workload.roundsAtMost ?? run.rounds);
    const turn = (workload.secondsOf?.(run.seconds) ?? run.seconds) + TURN;
    return contestants.length * (START + (warmUps + rounds) * turn);
  });
  return (BUILD + nodes * seconds.reduce((sum, one) => sum + one, 0)) / 60;
}
