import { readFileSync, readdirSync } from 'node:fs';
import type { LoadGenerator } from '../load/load.js';
import { startServer } from '../processes/measured-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import { callExam } from '../workloads/questions.js';
import type { WorkersReady, WorkersSettings } from './workers-process.js';

export const TOOLS = 10;
export const CONNECTIONS = 32;
/**
 * What runs before a figure is taken. A server that waits while others have their turn lets go of memory and of code, which
 * it must get back first.
 */
const LEAD_IN_SECONDS = 1;

const exam = callExam(TOOLS);
const requests = Array.from({ length: 4 * CONNECTIONS }, (_, index) =>
  wireRequest(exam.question, 100_000 + index, { dialect: 'modern' }),
);

/** What is compared. */
export interface Entry {
  readonly name: string;
  readonly servers: number;
  /** Of each server. 0: one process. */
  readonly workers: number;
}

/** One round of a subject. */
export interface SubjectRound {
  /** Microseconds of CPU of a call, of all processes of the server together. */
  readonly cpu: number;
  /** Calls a second. */
  readonly rate: number;
}

interface Running extends WorkersReady {
  stop(): Promise<void>;
}

/** How a subject is started and asked. */
export interface SubjectPlace {
  readonly node: string;
  readonly load: LoadGenerator;
  readonly seconds: number;
}

/** One server or several, under load at the same time. */
export class Subject {
  private constructor(
    readonly name: string,
    private readonly servers: readonly Running[],
    /** One for each process that serves: the client is never what limits one subject and not the other. */
    private readonly ports: readonly number[],
    private readonly place: SubjectPlace,
  ) {}

  static async start(
    { name, servers, workers }: Entry,
    settings: Omit<WorkersSettings, 'workers'>,
    place: SubjectPlace,
  ): Promise<Subject> {
    const running: Running[] = [];
    for (let count = 0; count < servers; count++)
      running.push(await startWorkers({ ...settings, workers }, place.node));
    const ports = running.flatMap(({ port }) => Array<number>(Math.max(1, workers)).fill(port));
    return new Subject(name, running, ports, place);
  }

  async run(): Promise<SubjectRound> {
    await this.#ask(LEAD_IN_SECONDS);
    const before = this.#cpu();
    const results = await this.#ask(this.place.seconds);
    const cpu = this.#cpu() - before;
    const failures = results.reduce((sum, each) => sum + each.failures, 0);
    if (failures > 0) throw new Error(`${this.name}: ${failures} failures`);
    for (const { port } of this.servers)
      checkAnswer(await exchange(port, requests[0]!), 100_000, exam.expected);
    const answers = results.reduce((sum, each) => sum + each.answers, 0);
    const rate = results.reduce((sum, each) => sum + each.answers / each.seconds, 0);
    return { cpu: cpu / answers, rate };
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  #ask(seconds: number) {
    const job = { requests, seconds, connections: CONNECTIONS };
    return Promise.all(this.ports.map((port) => this.place.load.run({ port, ...job })));
  }

  /** Of the processes that serve, and of the one that holds what they share, in microseconds. */
  #cpu(): number {
    return this.servers
      .flatMap(({ pids }) => pids)
      .map(cpuOf)
      .reduce((sum, each) => sum + each, 0);
  }
}

async function startWorkers(settings: WorkersSettings, node: string): Promise<Running> {
  const { ready, stop } = await startServer('workers/workers-process.js', settings, node);
  return { ...(JSON.parse(ready) as WorkersReady), stop };
}

/** Of all threads: Linux counts nanoseconds here, and ticks of ten milliseconds in /proc/<pid>/stat. */
function cpuOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1_000;
  }, 0);
}
