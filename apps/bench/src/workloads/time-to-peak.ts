import { BASELINE } from '../contestants/catalogue.js';
import { answerTimes } from '../load/autocannon.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { wireRequest } from '../protocol/request.js';
import { callsToPeak } from './calls-to-peak.js';
import { callExam } from './questions.js';
import { firstSpoken, type Workload } from './workload.js';

const TOOLS = 10;
const CONNECTIONS = 16;
const ROUNDS = 3;

/** A new process under load from its first call on: V8 compiles what is called often, and until then calls are slow. */
export const timeToPeak: Workload = {
  name: 'time-to-peak',
  title: `calls until a new process has 95 % of its steady rate, ${TOOLS} tools, ${CONNECTIONS} connections`,
  metrics: [{ name: 'calls', unit: 'calls', better: 'lower' }],
  baseline: BASELINE,
  dialectOf: firstSpoken(['modern', 'stateless']),
  // The load is in JavaScript, too: in the first round it is the one that has to be compiled.
  warmUps: 1,
  roundsAtMost: ROUNDS,
  secondsOf: (seconds) => 2 * seconds + 0.5,
  enter: async (contestant, dialect, run) => {
    const { question } = callExam(TOOLS);
    const generated = run.generated(TOOLS);
    const settings = { transport: 'http' as const, dialect, tools: TOOLS, progress: false, generated };
    const requests = Array.from({ length: CONNECTIONS }, (_, index) =>
      wireRequest(question, index + 1, { dialect }),
    );
    const sample = async () => {
      const server = ContestantServer.spawn(contestant, settings, run.place);
      try {
        const port = await server.ready();
        const load = { port, requests, seconds: run.seconds * 2, connections: CONNECTIONS };
        return { calls: callsToPeak(await answerTimes(load)) };
      } finally {
        await server.stop();
      }
    };
    return { sample, stop: async () => {} };
  },
};
