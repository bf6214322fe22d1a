import { contestants, type Contestant } from '../contestants/catalogue.js';
import type { PeerFigures } from '../report/results.js';
import { workloads } from '../workloads/catalogue.js';
import { measure } from '../workloads/measure.js';
import type { Measurement, Run, Sample } from '../workloads/workload.js';

/** The same cheapest tool, the same client: what starts, and what a call costs. */
const START = 'cold-start-10';
const CALL = 'call-10';
/** Both have as many tools. */
export const TOOLS = 10;

/** Lets the contestants of these names take turns, as far as this Node.js runs them. */
export async function measurePeers(
  names: readonly string[],
  run: Run & { node: string },
): Promise<Map<string, PeerFigures>> {
  const major = Number(run.node.split('.')[0]);
  const field = names
    .map((name) => contestants.find((each) => each.name === name)!)
    .filter(({ needsNode = 0 }) => major >= needsNode)
    .map(joining);
  const [starts, calls] = [await measureOne(START, field, run), await measureOne(CALL, field, run)];
  return new Map(
    field.map(({ name }) => [name, figuresOf(run.node, of(starts, name), of(calls, name))] as const),
  );
}

/** Some of them take part in no other run. */
function joining({ joins: _joins, ...contestant }: Contestant): Contestant {
  return contestant;
}

const measureOne = (workload: string, field: Contestant[], run: Run & { node: string }) =>
  measure(
    workloads.find(({ name }) => name === workload)!,
    field,
    run,
  );

const of = (measurements: readonly Measurement[], contestant: string) =>
  measurements.find((each) => each.contestant === contestant)!;

function figuresOf(node: string, start: Measurement, call: Measurement): PeerFigures {
  const problem = start.problem ?? call.problem;
  const values = (samples: readonly Sample[], name: string) => samples.map((sample) => sample[name]!);
  return {
    node,
    dialect: call.dialect,
    start: values(start.samples, 'cpu').map((microseconds) => microseconds / 1_000),
    cpu: values(call.samples, 'cpu'),
    rate: values(call.samples, 'rate'),
    ...(problem !== undefined && { problem: problem.replace(/\s+/g, ' ').slice(0, 200) }),
  };
}
