import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Fleet } from './fleet.js';
import { cost, memory, scaling } from './soak/cost.js';
import { limits } from './soak/limits.js';
import { outage } from './soak/outage.js';
import { kills, rollingRestart } from './soak/restarts.js';
import { describeFigure, isMet, type Scenario } from './soak/scenario.js';
import { schedules } from './soak/schedules.js';
import { tasks, taskSpeed } from './soak/tasks.js';
import { changes, streams } from './soak/streams.js';

const scenarios: readonly Scenario[] = [
  limits,
  streams,
  changes,
  cost,
  scaling,
  memory,
  outage,
  rollingRestart,
  kills,
  tasks,
  taskSpeed,
  schedules,
];

/** Measures the fleet under load, prints a table, and exits with 1 if a figure misses its bound. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const chosen = values.only?.split(',');
  console.log(
    `Node.js ${process.version}, ${process.platform} ${process.arch}${values.quick ? ', quick' : ''}`,
  );
  let missed = 0;
  for (const { name, run, fleet: options } of scenarios.filter(
    (scenario) => chosen?.includes(scenario.name) ?? true,
  )) {
    // Each scenario has a fleet of its own: none suffers from what an earlier one has done.
    const fleet = await Fleet.start(options);
    try {
      const figures = await run(fleet, values.quick);
      console.log(`${name} [load ${loadavg()[0]!.toFixed(1)}]`);
      for (const figure of figures) console.log(describeFigure(figure));
      missed += figures.filter((figure) => !isMet(figure)).length;
    } finally {
      await fleet.stop();
    }
  }
  console.log(missed === 0 ? 'every bound is met' : `bounds missed: ${missed}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
