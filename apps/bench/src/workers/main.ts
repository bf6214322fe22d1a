import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { startServer } from '../processes/measured-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import { summarize, summarizeRatio, type Summary } from '../report/statistics.js';
import { callExam } from '../workloads/questions.js';
import type { WorkersReady, WorkersSettings } from './workers-process.js';

const TOOLS = 10;
const CONNECTIONS = 32;
const SECONDS = 4;
const WARM_UPS = 2;
const ROUNDS = 6;
/** A tick of /proc/<pid>/stat, in microseconds. */
const TICK = 10_000;

const load = chooseLoad();
const exam = callExam(TOOLS);
const requests = Array.from({ length: 4 * CONNECTIONS }, (_, index) =>
  wireRequest(exam.question, 100_000 + index, { dialect: 'modern' }),
);

interface Figures {
  /** Answers for a second of processor time, of all processes of the server together. */
  perCpu: number;
  rate: number;
}

/** A server with its processes. */
interface Running extends WorkersReady {
  stop(): Promise<void>;
}

/** One server or several, under load at the same time. */
class Subject {
  readonly figures: Figures[] = [];

  private constructor(
    readonly name: string,
    private readonly servers: readonly Running[],
    /** One for each process that serves: the client is never what limits one subject and not the other. */
    private readonly ports: readonly number[],
  ) {}

  static async start({ name, servers, workers }: Entry, settings: Common): Promise<Subject> {
    const running: Running[] = [];
    for (let count = 0; count < servers; count++) running.push(await startWorkers({ ...settings, workers }));
    const ports = running.flatMap(({ port }) => Array<number>(Math.max(1, workers)).fill(port));
    return new Subject(name, running, ports);
  }

  async run(): Promise<Figures> {
    const before = this.#cpu();
    const job = { requests, seconds: SECONDS, connections: CONNECTIONS };
    const results = await Promise.all(this.ports.map((port) => load.run({ port, ...job })));
    const cpu = this.#cpu() - before;
    const failures = results.reduce((sum, each) => sum + each.failures, 0);
    if (failures > 0) throw new Error(`${this.name}: ${failures} failures`);
    for (const { port } of this.servers)
      checkAnswer(await exchange(port, requests[0]!), 100_000, exam.expected);
    const answers = results.reduce((sum, each) => sum + each.answers, 0);
    const rate = results.reduce((sum, each) => sum + each.answers / each.seconds, 0);
    return { perCpu: answers / (cpu / 1e6), rate };
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** Of the processes that serve, and of the one that holds what they share, in microseconds. */
  #cpu(): number {
    return this.servers
      .flatMap(({ pids }) => pids)
      .map(cpuOf)
      .reduce((sum, each) => sum + each, 0);
  }
}

async function startWorkers(settings: WorkersSettings): Promise<Running> {
  const { ready, stop } = await startServer('workers/workers-process.js', settings);
  return { ...(JSON.parse(ready) as WorkersReady), stop };
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) * TICK;
}

interface Entry {
  name: string;
  servers: number;
  workers: number;
}

type Common = Omit<WorkersSettings, 'workers'>;

/** Two processes that know nothing of each other show what the machine itself can do with two at a time. */
const entries: readonly Entry[] = [
  { name: 'one process', servers: 1, workers: 0 },
  { name: '1 worker', servers: 1, workers: 1 },
  { name: '2 workers', servers: 1, workers: 2 },
  { name: '2 apart', servers: 2, workers: 0 },
];

/** Every subject in each round, in one order and then in the other: what drifts meets all alike. */
async function compare(title: string, strangers: boolean): Promise<void> {
  const generated = generateOnce()(TOOLS);
  const settings: Common = {
    ...{ transport: 'http', dialect: 'modern', tools: TOOLS, progress: false },
    ...{ generated, strangers },
  };
  const subjects: Subject[] = [];
  try {
    for (const entry of entries) subjects.push(await Subject.start(entry, settings));
    for (let round = 0; round < WARM_UPS + ROUNDS; round++)
      for (const subject of round % 2 ? subjects.toReversed() : subjects) {
        const figures = await subject.run();
        if (round >= WARM_UPS) subject.figures.push(figures);
      }
    print(title, subjects);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

function print(title: string, subjects: readonly Subject[]): void {
  const perCpu = (subject: Subject) => subject.figures.map((each) => each.perCpu);
  console.log(`\n${title}; load ${loadavg()[0]!.toFixed(1)} at the end`);
  for (const subject of subjects) {
    const cost = summarize(perCpu(subject).map((each) => 1e6 / each));
    const rate = summarize(subject.figures.map((each) => each.rate));
    const ratios = subjects
      .filter((other) => other !== subject)
      .map((other) => `${text(summarizeRatio(perCpu(subject), perCpu(other)), 2)} of ${other.name}`);
    console.log(
      `${subject.name.padEnd(12)} ${text(cost, 0)} µs of CPU a call, ${text(rate, 0)} calls/s; per CPU ${ratios.join(', ')}`,
    );
  }
}

const text = ({ median, low, high }: Summary, digits: number) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

/** Prints what a call costs all processes of a server together, alone and with workers (Linux: it reads /proc). */
async function main(): Promise<void> {
  console.log(
    `Node.js ${process.version}, ${load.name}, ${CONNECTIONS} connections for each process, ${ROUNDS} rounds of ${SECONDS} s`,
  );
  await compare('One caller: its points are granted to the workers', false);
  await compare('A new caller each time: every call asks the primary process', true);
}

void main();
