import { contestants } from '../contestants/catalogue.js';
import { TOUCH_TOOL } from '../contestants/work.js';
import type { LoadGenerator } from '../load/load.js';
import { ContestantServer, type Place } from '../processes/contestant-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import type { CallersRow, CallRound } from '../report/results.js';
import { quantile } from '../report/statistics.js';
import { callExam } from '../workloads/questions.js';
import type { Audience } from './audience.js';
import type { Held, Kind } from './held.js';

const TOOLS = 10;
const CONNECTIONS = 16;
/** Changes of a round. */
const CHANGES = 10;
/** The part that is opened before memory is read for the first time: what is paid once comes before. */
const FIRST = 0.1;

/** How much is measured, and where. */
export interface CallersRun {
  /** The name of the contestant. */
  readonly server: string;
  readonly node: string;
  readonly place: Place;
  readonly load: LoadGenerator;
  readonly warmUps: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly generated: (tools: number) => string;
}

interface Serving {
  readonly server: ContestantServer;
  readonly port: number;
}

const talk = { dialect: 'modern' as const };
const exam = callExam(TOOLS);
const calls = Array.from({ length: 4 * CONNECTIONS }, (_, index) =>
  wireRequest(exam.question, 100_000 + index, talk),
);
const touch = wireRequest({ method: 'tools/call', params: { name: TOUCH_TOOL, arguments: {} } }, 1, talk);

/** What `count` of a kind cost a server. It takes turns with a server that holds nothing. */
export async function measureCallers(kind: Kind, count: number, run: CallersRun): Promise<CallersRow> {
  const [holding, empty] = [await start(run), await start(run)];
  const held = kind.hold(holding.port);
  try {
    const memory = await memoryOfEach(holding.server, held, count);
    const rounds = await compareCalls(holding, empty, run);
    const changes = kind.name === 'subscriptions' && (await measureChanges(holding, held.audience!, run));
    const { name, title } = kind;
    return { kind: name, title, count, node: run.node, ...memory, ...rounds, ...(changes && { changes }) };
  } finally {
    held.close();
    await Promise.all([holding.server.stop(), empty.server.stop()]);
  }
}

async function start({ server: asked, generated, place }: CallersRun): Promise<Serving> {
  const contestant = contestants.find(({ name }) => name === asked);
  if (!contestant) throw new Error(`unknown server "${asked}"`);
  const server = ContestantServer.spawn(
    contestant,
    {
      transport: 'http',
      dialect: 'modern',
      tools: TOOLS,
      progress: false,
      fanout: true,
      generated: generated(TOOLS),
    },
    place,
  );
  return { server, port: await server.ready() };
}

async function memoryOfEach(server: ContestantServer, held: Held, count: number) {
  const first = Math.ceil(count * FIRST);
  await held.grow(first);
  const before = await server.memory();
  await held.grow(count - first);
  const after = await server.memory();
  const each = (name: 'heap' | 'rss') => (after[name] - before[name]) / (count - first);
  return { heap: each('heap'), resident: each('rss') };
}

async function compareCalls(holding: Serving, empty: Serving, run: CallersRun) {
  const rounds = { holding: [] as CallRound[], empty: [] as CallRound[] };
  for (let round = 0; round < run.warmUps + run.rounds; round++) {
    const inTurn = [
      ['holding', holding],
      ['empty', empty],
    ] as const;
    for (const [name, serving] of round % 2 ? inTurn.toReversed() : inTurn) {
      const figures = await callRound(serving, run);
      if (round >= run.warmUps) rounds[name].push(figures);
    }
  }
  return rounds;
}

async function callRound({ server, port }: Serving, { load, seconds }: CallersRun): Promise<CallRound> {
  const before = await server.cpu();
  const { answers, failures, p99 } = await load.run({
    port,
    requests: calls,
    seconds,
    connections: CONNECTIONS,
  });
  const cpu = ((await server.cpu()) - before) / answers;
  if (failures > 0) throw new Error(`${failures} failures in ${answers} answers`);
  checkAnswer(await exchange(port, calls[0]!), 100_000, exam.expected);
  return { cpu, p99 };
}

/** A change comes when all have heard of the last one. */
async function measureChanges({ server, port }: Serving, audience: Audience, run: CallersRun) {
  const rounds: CallRound[] = [];
  for (let round = 0; round < run.warmUps + run.rounds; round++) {
    const before = await server.cpu();
    const heard: number[] = [];
    for (let change = 0; change < CHANGES; change++)
      heard.push(...(await audience.hear('notifications/resources/updated', () => exchange(port, touch))));
    const cpu = ((await server.cpu()) - before) / heard.length;
    const sorted = heard.sort((a, b) => a - b);
    if (round >= run.warmUps) rounds.push({ cpu, p99: quantile(sorted, 0.99) });
  }
  return rounds;
}
