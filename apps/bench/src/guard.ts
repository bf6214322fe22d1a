import { BASELINE, contestants } from './contestants/catalogue.js';
import { generateOnce } from './generate/generate.js';
import { chooseLoad } from './load/choose-load.js';
import { cleanUpAtExit } from './processes/clean-up.js';
import { splitCores } from './processes/cores.js';
import { findNodes, type NodeBinary } from './processes/node-versions.js';
import { summarizeRatio } from './report/statistics.js';
import { workloads } from './workloads/catalogue.js';
import { measure } from './workloads/measure.js';
import type { Workload } from './workloads/workload.js';

/**
 * Machines that run checks are noisy and shared. Both servers of a round meet the same noise, and only a loss that no
 * noise explains is a failure: something that is done per call and should not be.
 */
const GROSS_LOSS = 0.5;
/** Tools as people write them. */
const WORKLOADS = ['call-usual', 'call-dto'];
const WARM_UPS = 2;
const ROUNDS = 3;
const SECONDS = 1;

/** @returns how fast ours is, as a multiple of plain Express */
async function ratioOf(workload: Workload, node: NodeBinary): Promise<number> {
  const pair = [BASELINE, 'toolwright-express'].map((wanted) =>
    contestants.find(({ name }) => name === wanted)!,
  );
  const [plain, ours] = await measure(workload, pair, {
    node: node.version,
    place: { node: node.path, cores: splitCores() },
    load: chooseLoad(),
    warmUps: WARM_UPS,
    rounds: ROUNDS,
    seconds: SECONDS,
    sessions: 0,
    streams: 0,
    generated: generateOnce(),
    log: (line) => console.error(line),
  });
  const problem = plain!.problem ?? ours!.problem;
  if (problem) throw new Error(problem);
  const rates = (measurement: typeof plain) => measurement!.samples.map(({ rate }) => rate!);
  return summarizeRatio(rates(ours), rates(plain)).median;
}

async function guard(): Promise<void> {
  const lost: string[] = [];
  const nodes = findNodes(['current', '24']);
  for (const wanted of WORKLOADS) {
    const workload = workloads.find(({ name }) => name === wanted)!;
    for (const node of nodes) {
      const ratio = await ratioOf(workload, node);
      const title = `${workload.title}, Node ${node.version}`;
      console.log(`${title}: ${ratio.toFixed(2)}x plain Express with express.json()`);
      if (ratio < GROSS_LOSS) lost.push(title);
    }
  }
  if (lost.length > 0)
    throw new Error(`below ${GROSS_LOSS}x, so calls have become much more expensive: ${lost.join('; ')}`);
}

async function run(): Promise<void> {
  cleanUpAtExit();
  try {
    await guard();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

void run();
