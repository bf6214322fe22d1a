import type { Contestant } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import type { Entrant, Measurement, Run, Workload } from './workload.js';

/**
 * Lets the contestants of a workload take turns, A B C A B C …, so that whatever else the machine does meets all of
 * them alike. One that fails is reported with its problem, and the others go on.
 */
export async function measure(
  workload: Workload,
  contestants: Contestant[],
  run: Run & { node: string },
): Promise<Measurement[]> {
  const field: { entrant: Entrant; measurement: Measurement }[] = [];
  const measurements: Measurement[] = [];
  try {
    for (const contestant of contestants) {
      const dialect = dialectIn(workload, contestant);
      if (!dialect) continue;
      const measurement: Measurement = {
        workload: workload.name,
        contestant: contestant.name,
        dialect,
        node: run.node,
        samples: [],
      };
      measurements.push(measurement);
      await attempt(measurement, run, async () => {
        field.push({ entrant: await workload.enter(contestant, dialect, run), measurement });
      });
    }
    const warmUps = workload.warmUps ?? run.warmUps;
    const rounds = Math.min(run.rounds, workload.roundsAtMost ?? run.rounds);
    for (let round = -warmUps; round < rounds; round++) {
      for (const { entrant, measurement } of field) {
        if (measurement.problem) continue;
        await attempt(measurement, run, async () => {
          const sample = await entrant.sample();
          if (round >= 0) measurement.samples.push(sample);
        });
      }
    }
  } finally {
    await Promise.all(field.map(({ entrant }) => entrant.stop()));
  }
  return measurements;
}

/** The dialect in which a contestant takes part in a workload, or undefined when it does not. */
export function dialectIn(workload: Workload, contestant: Contestant): Dialect | undefined {
  if (contestant.joins && !contestant.joins.includes(workload.name)) return undefined;
  return workload.dialectOf(contestant);
}

async function attempt(measurement: Measurement, run: Run, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    measurement.problem = error instanceof Error ? error.message : String(error);
    run.log(`  ${measurement.contestant}: ${measurement.problem}`);
  }
}
