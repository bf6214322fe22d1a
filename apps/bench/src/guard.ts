import { BASELINE, contestants } from './contestants/catalogue.js';
import { generateOnce } from './generate/generate.js';
import { chooseLoad } from './load/choose-load.js';
import { cleanUpAtExit } from './processes/clean-up.js';
import { splitCores } from './processes/cores.js';
import { summarizeRatio } from './report/statistics.js';
import { workloads } from './workloads/catalogue.js';
import { measure } from './workloads/measure.js';

/**
 * Machines that run checks are noisy and shared. Both servers of a round meet the same noise, and only a loss that no
 * noise explains is a failure: something that is done per call and should not be.
 */
const GROSS_LOSS = 0.5;
const WARM_UPS = 4;
const ROUNDS = 5;
const SECONDS = 1;

async function guard(): Promise<void> {
  const workload = workloads.find(({ name }) => name === 'call-10')!;
  const pair = [BASELINE, 'toolwright-express'].map((wanted) =>
    contestants.find(({ name }) => name === wanted)!,
  );
  const [plain, ours] = await measure(workload, pair, {
    node: process.versions.node,
    place: { node: process.execPath, cores: splitCores() },
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
  const { median } = summarizeRatio(rates(ours), rates(plain));
  console.log(`${workload.title}: ${median.toFixed(2)}x plain Express with express.json()`);
  if (median < GROSS_LOSS) throw new Error(`below ${GROSS_LOSS}x: calls have become much more expensive`);
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
