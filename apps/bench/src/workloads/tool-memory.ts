import { ContestantServer } from '../processes/contestant-server.js';
import type { Run, Workload } from './workload.js';
import type { Contestant } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import { firstSpoken } from './workload.js';

const MANY = 1000;
const FEW = 10;
const ROUNDS = 3;

const spoken = firstSpoken(['modern', 'stateless', 'session']);

/** What a tool costs a server that has started: the difference between many of them and few. */
export const toolMemory: Workload = {
  name: 'memory-tools',
  title: `Memory of a tool, of ${MANY}`,
  metrics: [
    { name: 'heap', unit: 'heap bytes each', better: 'lower' },
    { name: 'rss', unit: 'resident bytes each', better: 'lower' },
  ],
  baseline: 'toolwright-express',
  dialectOf: (contestant) => (contestant.checks === 'nothing' ? undefined : spoken(contestant)),
  warmUps: 0,
  roundsAtMost: ROUNDS,
  secondsOf: () => 1.5,
  enter: async (contestant, dialect, run) => ({
    sample: async () => {
      const few = await memoryWith(FEW, contestant, { dialect, run });
      const many = await memoryWith(MANY, contestant, { dialect, run });
      const tools = MANY - FEW;
      return { heap: (many.heap - few.heap) / tools, rss: (many.rss - few.rss) / tools };
    },
    stop: async () => {},
  }),
};

async function memoryWith(
  tools: number,
  contestant: Contestant,
  { dialect, run }: { dialect: Dialect; run: Run },
) {
  const settings = { transport: 'http' as const, dialect, tools, progress: false };
  const generated = run.generated(tools);
  const server = ContestantServer.spawn(contestant, { ...settings, generated }, run.place);
  try {
    await server.ready();
    return await server.memory();
  } finally {
    await server.stop();
  }
}
