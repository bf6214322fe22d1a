import { ContestantServer } from '../processes/contestant-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { wireRequest } from '../protocol/request.js';
import { callExam } from './questions.js';
import type { Workload } from './workload.js';

const TOOLS = 10;
const IN_FLIGHT = 16;
const FIRST_ID = 1;

/** A web-standard handler called in its own process: what is left of a call without a socket. */
export const fetchHandler: Workload = {
  name: 'fetch-handler',
  title: `tools/call of a web-standard handler without a socket, ${TOOLS} tools, ${IN_FLIGHT} in flight`,
  metrics: [
    { name: 'rate', unit: 'answers/s', better: 'higher' },
    { name: 'cpu', unit: 'µs CPU per answer', better: 'lower' },
  ],
  baseline: 'plain-fetch',
  dialectOf: ({ serves }) => (serves.includes('fetch') ? 'modern' : undefined),
  enter: async (contestant, dialect, run) => {
    const { question, expected } = callExam(TOOLS);
    const generated = run.generated(TOOLS);
    const settings = { transport: 'fetch' as const, dialect, tools: TOOLS, progress: false, generated };
    const server = ContestantServer.spawn(contestant, settings, run.place);
    const requests = Array.from({ length: IN_FLIGHT }, (_, index) =>
      wireRequest(question, FIRST_ID + index, { dialect }),
    );
    const sample = async () => {
      const before = await server.cpu();
      const { answers, failures, seconds, last } = await server.drive({ requests, seconds: run.seconds });
      const cpu = (await server.cpu()) - before;
      if (failures > 0) throw new Error(`${failures} failures in ${answers} answers`);
      const { id } = JSON.parse(last.body) as { id: number };
      checkAnswer(last, id, expected);
      return { rate: answers / seconds, cpu: cpu / answers };
    };
    try {
      await server.ready();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return { sample, stop: () => server.stop() };
  },
};
