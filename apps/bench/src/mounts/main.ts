import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { contestants } from '../contestants/catalogue.js';
import type { Dialect } from '../contestants/settings.js';
import { generateOnce } from '../generate/generate.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { startServer } from '../processes/measured-server.js';
import { checkAnswer } from '../protocol/answer.js';
import { exchange } from '../protocol/exchange.js';
import { openSession } from '../protocol/open-session.js';
import { type Conversation, wireRequest } from '../protocol/request.js';
import { quantile, summarize } from '../report/statistics.js';
import { callExam } from '../workloads/questions.js';
import type { GatewaySettings } from './gateway-process.js';

const TOOLS = 10;
const CALLS = 150;
/** What passes between two calls of a client that thinks, in ms. */
const PAUSE = 10;
const WARM_UPS = 3;
const ROUNDS = 7;

const exam = callExam(TOOLS);

/** A server behind a mount, how the gateway's client speaks, and how long it waits between two calls. */
interface Row {
  readonly title: string;
  readonly contestant: string;
  readonly behind: Dialect;
  readonly client: Dialect;
  readonly pause: number;
}

const modern = { contestant: 'toolwright-http', behind: 'modern', client: 'modern' } as const;
const older = { contestant: 'sdk-v1', behind: 'session' } as const;

const rows: readonly Row[] = [
  { title: 'Toolwright behind', ...modern, pause: 0 },
  { title: 'SDK v1 behind, a client with a session', ...older, client: 'session', pause: 0 },
  { title: `SDK v1 behind, a client without, every ${PAUSE} ms`, ...older, client: 'modern', pause: PAUSE },
  { title: 'SDK v1 behind, a client without, at once', ...older, client: 'modern', pause: 0 },
];

/** One way to the same tool, with what each round of it took. */
class Way {
  readonly p50: number[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  #id = 100_000;

  constructor(
    readonly port: number,
    private readonly talk: Conversation,
    private readonly pause = 0,
  ) {}

  async run(counts: boolean): Promise<void> {
    const times: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      times.push(await this.#call());
      if (this.pause > 0) await sleep(this.pause);
    }
    times.sort((a, b) => a - b);
    if (counts) this.p50.push(quantile(times, 0.5));
  }

  async #call(): Promise<number> {
    const id = this.#id++;
    const request = wireRequest(exam.question, id, this.talk);
    const began = performance.now();
    const answer = await exchange(this.port, request, this.#agent);
    const took = performance.now() - began;
    checkAnswer(answer, id, exam.expected);
    return took;
  }
}

/** Both ways take turns, in one order and then in the other: what drifts meets both alike. */
async function compare({ title, contestant, behind, client, pause }: Row, generated: string): Promise<void> {
  const entry = contestants.find(({ name }) => name === contestant)!;
  const settings = { transport: 'http', dialect: behind, tools: TOOLS, progress: false, generated } as const;
  // Client, gateway and server are three processes: pinning two of them to one core would measure the core.
  const place = { node: process.execPath, cores: { server: undefined } };
  const upstream = ContestantServer.spawn(entry, settings, place);
  try {
    const port = await upstream.ready();
    const heard: GatewaySettings = { upstream: port, folder: generated };
    const gateway = await startServer('mounts/gateway-process.js', heard);
    const front = Number(gateway.ready);
    const direct = new Way(port, await talkTo(port, behind), pause);
    const mounted = new Way(front, await talkTo(front, client), pause);
    for (let round = 0; round < WARM_UPS + ROUNDS; round++)
      for (const way of round % 2 ? [direct, mounted] : [mounted, direct]) await way.run(round >= WARM_UPS);
    const added = summarize(mounted.p50.map((each, round) => each - direct.p50[round]!));
    const [alone, through] = [direct, mounted].map(({ p50 }) => summarize(p50).median.toFixed(2));
    console.log(
      `${title}: ${alone} ms, ${through} ms through a mount; ` +
        `${added.median.toFixed(2)} ms more (${added.low.toFixed(2)} to ${added.high.toFixed(2)})`,
    );
    await gateway.stop();
  } finally {
    await upstream.stop();
  }
}

async function talkTo(port: number, dialect: Dialect): Promise<Conversation> {
  return dialect === 'session' ? openSession(port) : { dialect };
}

/** Prints what a mount adds to the median of a call over loopback, with the audit log on. */
async function main(): Promise<void> {
  cleanUpAtExit();
  console.log(`Node.js ${process.version}, ${ROUNDS} rounds of ${CALLS} calls`);
  const generated = generateOnce()(TOOLS);
  for (const row of rows) await compare(row, generated);
  console.log(`load ${loadavg()[0]!.toFixed(1)} at the end`);
}

void main();
