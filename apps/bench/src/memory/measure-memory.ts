import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Contestant } from '../contestants/catalogue.js';
import type { Settings } from '../contestants/settings.js';
import { FORWARD_TOOL } from '../contestants/work.js';
import type { LoadGenerator } from '../load/load.js';
import { ContestantServer, type Place } from '../processes/contestant-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange, open } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import type { MemoryRow } from '../report/results.js';
import { callExam } from '../workloads/questions.js';

const TOOLS = 10;
const CONNECTIONS = 16;
/** Readings of a load, unless it is shorter than ten seconds. */
const READINGS = 10;
/** Calls that wait. The first ones come before the first reading: what is paid once comes with them. */
const WAITING = 1_000;
const FIRST = 200;
/** What a container of 64 MB needs: without the last one, the threads that compile keep 30 MB on Node 24. */
const SMALL = ['--max-old-space-size=24', '--max-semi-space-size=1', '--no-concurrent-recompilation'];
const SMALL_SECONDS = 5;

const exam = callExam(TOOLS);
const calls = Array.from({ length: 4 * CONNECTIONS }, (_, index) =>
  wireRequest(exam.question, 100_000 + index, { dialect: 'modern' }),
);

/** How much is measured, and where. */
export interface MemoryRun {
  readonly place: Place;
  readonly load: LoadGenerator;
  readonly rounds: number;
  readonly minutes: number;
  readonly generated: string;
}

/** What one server keeps in memory: idle, for each call in flight, under load, and with little of it. */
export async function measureMemory(
  contestant: Contestant,
  node: string,
  run: MemoryRun,
): Promise<MemoryRow> {
  const repeat = async <T>(once: () => Promise<T>) => {
    const found: T[] = [];
    while (found.length < run.rounds) found.push(await once());
    return found;
  };
  const idle = await repeat(() => withServer(contestant, run, ({ server }) => server.memory()));
  const waits = contestant.serves.includes('proxy');
  const inFlight = waits ? await repeat(() => heapOfCall(contestant, run)) : undefined;
  const { readings, answers } = await underLoad(contestant, run);
  const small = await underSmall(contestant, run);
  return {
    title: contestant.title,
    node,
    idle: idle.map(memoryOf),
    ...(inFlight && { inFlight }),
    load: readings,
    calls: answers,
    ...(small !== undefined && { small }),
  };
}

interface Serving {
  readonly server: ContestantServer;
  readonly port: number;
}

/** Starts a server, asks it once, and stops it when `use` has ended. */
async function withServer<T>(
  contestant: Contestant,
  { place, generated }: Pick<MemoryRun, 'place' | 'generated'>,
  use: (serving: Serving) => Promise<T>,
  more: Partial<Settings> = {},
): Promise<T> {
  const common = { transport: 'http', dialect: 'modern', tools: TOOLS, progress: false } as const;
  const server = ContestantServer.spawn(contestant, { ...common, generated, ...more }, place);
  try {
    const port = await server.ready();
    checkAnswer(await exchange(port, calls[0]!), 100_000, exam.expected);
    return await use({ server, port });
  } finally {
    await server.stop();
  }
}

const memoryOf = ({ heap, rss }: { heap: number; rss: number }) => ({ heap, rss });

/** Calls that a server passes on to one that never answers. Their connections are included, in and out. */
async function heapOfCall(contestant: Contestant, run: MemoryRun): Promise<number> {
  let arrived = 0;
  const silent = createServer(() => void arrived++).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const agent = new Agent({ keepAlive: true });
  const measure = async ({ server, port }: Serving) => {
    let sent = 0;
    const grow = async (count: number) => {
      for (; sent < count; sent++) {
        const question = {
          method: 'tools/call',
          params: { name: FORWARD_TOOL, arguments: { text: 'x', size: 1 } },
        };
        // The server is stopped before it has answered.
        open(port, wireRequest(question, sent, { dialect: 'modern' }), agent).catch(() => undefined);
      }
      while (arrived < count) await once(silent, 'request');
    };
    await grow(FIRST);
    const before = await server.memory();
    await grow(FIRST + WAITING);
    return ((await server.memory()).heap - before.heap) / WAITING;
  };
  try {
    const { port: upstream } = silent.address() as AddressInfo;
    return await withServer(contestant, run, measure, { upstream, unqueued: true });
  } finally {
    agent.destroy();
    silent.closeAllConnections();
    silent.close();
  }
}

/** Memory after each part of a long load. */
function underLoad(contestant: Contestant, run: MemoryRun) {
  const all = Math.max(1, Math.round(run.minutes * 60));
  // A run of load takes whole seconds.
  const [parts, seconds] = [Math.min(READINGS, all), Math.max(1, Math.round(all / READINGS))];
  return withServer(contestant, run, async ({ server, port }) => {
    const readings: { heap: number; rss: number }[] = [];
    let answers = 0;
    while (readings.length < parts) {
      answers += await ask(run.load, port, seconds);
      readings.push(memoryOf(await server.memory()));
    }
    return { readings, answers };
  });
}

/** What is resident under load, where V8 may keep little. */
function underSmall(contestant: Contestant, run: MemoryRun): Promise<number | undefined> {
  const place = { ...run.place, flags: SMALL };
  return withServer(contestant, { ...run, place }, async ({ server, port }) => {
    await ask(run.load, port, SMALL_SECONDS);
    return (await server.memory()).own;
  });
}

async function ask(load: LoadGenerator, port: number, seconds: number): Promise<number> {
  const { answers, failures } = await load.run({ port, requests: calls, seconds, connections: CONNECTIONS });
  if (failures > 0) throw new Error(`${failures} failures in ${answers} answers`);
  return answers;
}
