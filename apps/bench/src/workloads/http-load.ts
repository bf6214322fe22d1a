import { BASELINE, type Ability } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import { constantArrivals } from '../load/constant-arrivals.js';
import type { Load, LoadResult } from '../load/load.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { openSession } from '../protocol/open-session.js';
import { wireRequest, type Conversation } from '../protocol/request.js';
import type { Exam } from './questions.js';
import { firstSpoken, type Entrant, type Metric, type Run, type Sample, type Workload } from './workload.js';

export interface HttpLoad {
  name: string;
  title: string;
  exam: Exam;
  connections: number;
  /** In order of preference. */
  dialects: Dialect[];
  /** Only contestants that serve this take part; default: all do. */
  needs?: Ability;
  /** Requests a second for an open loop; without it each connection asks again as soon as it was answered. */
  arrivals?: number;
}

/** Requests kept ready for each connection; see `Load.requests`. */
const IDS_PER_CONNECTION = 4;
const FIRST_ID = 100_000;
/** How much the size of the average answer may differ from that of the one that was checked. */
const SIZE_TOLERANCE = 0.05;

const rate: Metric = { name: 'rate', unit: 'answers/s', better: 'higher' };
const latency: Metric[] = [
  { name: 'p50', unit: 'ms', better: 'lower' },
  { name: 'p99', unit: 'ms', better: 'lower' },
];
const cpu: Metric = { name: 'cpu', unit: 'µs CPU per answer', better: 'lower' };
const busy: Metric = { name: 'busy', unit: 'share of its core the server used', better: 'lower' };

/** One question asked over many connections, as fast as it is answered or at a constant rate. */
export function httpLoad(load: HttpLoad): Workload {
  return {
    name: load.name,
    title: load.title,
    metrics: load.arrivals ? [latency[1]!, latency[0]!, rate, cpu, busy] : [rate, ...latency, cpu, busy],
    baseline: BASELINE,
    dialectOf: (contestant) =>
      load.needs && !contestant.serves.includes(load.needs)
        ? undefined
        : firstSpoken(load.dialects)(contestant),
    enter: async (contestant, dialect, run) => {
      const server = ContestantServer.spawn(contestant, settingsFor(load, dialect, run), run.place);
      try {
        return await admit(load, server, run);
      } catch (error) {
        await server.stop();
        throw error;
      }
    },
  };
}

function settingsFor({ exam }: HttpLoad, dialect: Dialect, run: Run) {
  const { tools, question, offers } = exam;
  const progress = question.progress ?? false;
  const generated = run.generated(tools);
  return { transport: 'http' as const, dialect, tools, progress, generated, ...offers };
}

/** Checks the contestant's first answer, and after each run another one, since it may have begun to refuse. */
async function admit(load: HttpLoad, server: ContestantServer, run: Run): Promise<Entrant> {
  const { question, expected } = load.exam;
  const { dialect } = server.settings;
  const port = await server.ready();
  const talks: Conversation[] = [];
  for (let index = 0; index < load.connections; index++) {
    talks.push(dialect === 'session' ? await openSession(port) : { dialect, token: load.exam.token });
  }
  const requests = Array.from({ length: load.connections * IDS_PER_CONNECTION }, (_, index) =>
    wireRequest(question, FIRST_ID + index, talks[index % talks.length]!),
  );
  const check = async () => {
    const answer = await exchange(port, requests[0]!);
    checkAnswer(answer, FIRST_ID, expected);
    return Buffer.byteLength(answer.body);
  };
  const size = await check();

  const sample = async (): Promise<Sample> => {
    const before = await server.cpu();
    const job = { port, requests, seconds: run.seconds, connections: load.connections };
    const result = await start(load, job, run);
    const after = await server.cpu();
    checkResult(result, size);
    await check();
    return { ...figures(result), ...cost(result, after - before) };
  };
  return { sample, stop: () => server.stop() };
}

function start({ arrivals }: HttpLoad, job: Load, run: Run): Promise<LoadResult> {
  return arrivals ? constantArrivals({ ...job, perSecond: arrivals }) : run.load.run(job);
}

/**
 * Every answer counts only if all of them were right. A refusal with status 200 betrays itself by its size: headers
 * are some hundred bytes, so that they alone may come on top of the body that was checked.
 */
function checkResult({ answers, failures, bytes }: LoadResult, size: number): void {
  if (answers === 0) throw new Error('no answers');
  if (failures > 0) throw new Error(`${failures} failures in ${answers} answers`);
  const average = bytes / answers;
  const headers = 1_000;
  if (average < size * (1 - SIZE_TOLERANCE) || average > size * (1 + SIZE_TOLERANCE) + headers) {
    throw new Error(`answers of ${Math.round(average)} bytes on average, where the right one has ${size}`);
  }
}

const figures = ({ answers, seconds, p50, p99 }: LoadResult) => ({ rate: answers / seconds, p50, p99 });

const cost = ({ answers, seconds }: LoadResult, microseconds: number) => ({
  cpu: microseconds / answers,
  busy: microseconds / 1e6 / seconds,
});
