import { performance } from 'node:perf_hooks';
import { StdioClient } from '../load/stdio-client.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { checkMessages } from '../protocol/answer.js';
import { initialize, initialized, jsonRpc } from '../protocol/request.js';
import { quantile } from '../report/statistics.js';
import { callExam } from './questions.js';
import type { Run, Workload } from './workload.js';

const TOOLS = 10;
const IN_FLIGHT = 16;
const ANSWER_WITHIN = 30_000;

/** Calls over stdio, several in flight. */
export const stdioLoad: Workload = {
  name: 'stdio',
  title: `tools/call over stdio, ${TOOLS} tools, ${IN_FLIGHT} in flight`,
  metrics: [
    { name: 'rate', unit: 'answers/s', better: 'higher' },
    { name: 'p50', unit: 'ms', better: 'lower' },
    { name: 'p99', unit: 'ms', better: 'lower' },
  ],
  baseline: 'node-http',
  titleOf: ({ stdio, title }) => stdio ?? title,
  dialectOf: ({ stdio, dialects }) => {
    if (!stdio) return undefined;
    return dialects.includes('modern') ? 'modern' : 'session';
  },
  enter: async (contestant, dialect, run) => {
    const generated = run.generated(TOOLS);
    const settings = { transport: 'stdio' as const, dialect, tools: TOOLS, progress: false, generated };
    const server = ContestantServer.spawn(contestant, settings, run.place);
    try {
      await server.ready();
      const ask = await greet(server);
      return { sample: () => callFor(ask, run), stop: () => server.stop() };
    } catch (error) {
      await server.stop();
      throw error;
    }
  },
};

type Ask = () => Promise<void>;

/** Initialises where the dialect wants it, and makes the function that asks once and checks the answer. */
async function greet(server: ContestantServer): Promise<Ask> {
  const { dialect } = server.settings;
  const { input, output } = server.pipes;
  const client = new StdioClient(input, output);
  if (dialect === 'session') {
    await within(client.ask(0, jsonRpc(initialize, 0, dialect)));
    client.tell(jsonRpc(initialized, undefined, dialect));
  }
  const { question, expected } = callExam(TOOLS);
  let id = 0;
  const ask = async () => {
    const current = ++id;
    checkMessages([await client.ask(current, jsonRpc(question, current, dialect))], current, expected);
  };
  await within(ask());
  return ask;
}

async function callFor(ask: Ask, { seconds }: Run) {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  const caller = async () => {
    while (performance.now() < end) {
      const asked = performance.now();
      await ask();
      latencies.push(performance.now() - asked);
    }
  };
  await within(Promise.all(Array.from({ length: IN_FLIGHT }, caller)));
  const rate = latencies.length / ((performance.now() - start) / 1000);
  latencies.sort((a, b) => a - b);
  return { rate, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_WITHIN} ms`)), ANSWER_WITHIN);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
