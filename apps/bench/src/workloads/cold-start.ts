import { performance } from 'node:perf_hooks';
import { BASELINE } from '../contestants/catalogue.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { openSession } from '../protocol/open-session.js';
import { wireRequest } from '../protocol/request.js';
import { callExam } from './questions.js';
import { firstSpoken, type Workload } from './workload.js';

/** From the start of the process to the first right answer. */
export function coldStart(tools: number): Workload {
  const { question, expected } = callExam(tools);
  return {
    name: `cold-start-${tools}`,
    title: `Cold start to the first answer, ${tools} tools`,
    metrics: [
      { name: 'start', unit: 'ms', better: 'lower' },
      { name: 'first', unit: 'ms from its boot to the answer', better: 'lower' },
    ],
    baseline: BASELINE,
    dialectOf: firstSpoken(['modern', 'stateless', 'session']),
    // The first start reads the modules from disk; afterwards they come from the system's cache for everyone.
    warmUps: 1,
    secondsOf: () => 0.5,
    enter: async (contestant, dialect, run) => {
      const settings = {
        transport: 'http' as const,
        dialect,
        tools,
        progress: false,
        generated: run.generated(tools),
      };
      const sample = async () => {
        const before = performance.now();
        const server = ContestantServer.spawn(contestant, settings, run.place);
        try {
          const port = await server.ready();
          const booted = performance.now();
          const talk = dialect === 'session' ? await openSession(port) : { dialect };
          const answer = await exchange(port, wireRequest(question, 1, talk));
          const answered = performance.now();
          checkAnswer(answer, 1, expected);
          return { start: answered - before, first: answered - booted, cpu: await server.cpu() };
        } finally {
          await server.stop();
        }
      };
      return { sample, stop: async () => {} };
    },
  };
}
