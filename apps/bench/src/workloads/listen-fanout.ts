import { Agent, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { CLOCK_URI, TOUCH_TOOL } from '../contestants/work.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { exchange, open } from '../protocol/exchange.js';
import { wireRequest } from '../protocol/request.js';
import type { Entrant, Run, Workload } from './workload.js';

const TOOLS = 10;
const STREAMS = 200;

const listen = {
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: [CLOCK_URI] } },
};
const touch = { method: 'tools/call', params: { name: TOUCH_TOOL, arguments: {} } };
const talk = { dialect: 'modern' as const };

/** A change that many open streams hear of: the next one comes when all have heard of the last. */
export const listenFanout: Workload = {
  name: 'listen-fanout',
  title: `a change told to ${STREAMS} subscriptions/listen streams`,
  // The load waits for the slowest stream, so that the rate is also its own. The cost is the server's alone.
  metrics: [
    { name: 'cpu', unit: 'µs CPU per notification', better: 'lower' },
    { name: 'rate', unit: 'notifications/s', better: 'higher' },
  ],
  baseline: 'node-http',
  dialectOf: ({ serves }) => (serves.includes('fanout') ? 'modern' : undefined),
  enter: async (contestant, dialect, run) => {
    const generated = run.generated(TOOLS);
    const settings = { transport: 'http' as const, dialect, tools: TOOLS, progress: false, generated };
    const server = ContestantServer.spawn(contestant, { ...settings, fanout: true }, run.place);
    try {
      return await admit(server, await server.ready(), run);
    } catch (error) {
      await server.stop();
      throw error;
    }
  },
};

async function admit(server: ContestantServer, port: number, run: Run): Promise<Entrant> {
  const agent = new Agent({ keepAlive: true });
  const audience = new Audience();
  for (let index = 0; index < STREAMS; index++) {
    audience.add(await open(port, wireRequest(listen, index + 1, talk), new Agent()));
  }
  await audience.heard('notifications/subscriptions/acknowledged', STREAMS);
  let id = STREAMS;
  const tellAll = async () => {
    const heard = audience.heard('notifications/resources/updated', STREAMS);
    const { status, body } = await exchange(port, wireRequest(touch, ++id, talk), agent);
    if (status !== 200 || body.includes('"error"'))
      throw new Error(`status ${status}: ${body.slice(0, 300)}`);
    await heard;
  };
  await tellAll();

  const sample = async () => {
    const before = await server.cpu();
    const start = performance.now();
    let announced = 0;
    do {
      await tellAll();
      announced += STREAMS;
    } while (performance.now() - start < run.seconds * 1000);
    const seconds = (performance.now() - start) / 1000;
    return { cpu: ((await server.cpu()) - before) / announced, rate: announced / seconds };
  };
  const stop = async () => {
    agent.destroy();
    await server.stop();
  };
  return { sample, stop };
}

const HEARD_WITHIN = 10_000;

/** Counts what the open streams bring. */
class Audience {
  private waiting: { what: string; left: number; resolve: () => void } | undefined;
  private early = '';

  add(stream: IncomingMessage): void {
    stream.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
    // The server is stopped while they are open.
    stream.on('error', () => undefined);
  }

  /** Resolves when so many notifications have come, over all streams. */
  heard(what: string, count: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what} did not reach all`)), HEARD_WITHIN);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting = { what, left: count, resolve: done };
      this.receive('');
    });
  }

  private receive(chunk: string): void {
    // What came before anybody waited is counted then.
    this.early += chunk;
    if (!this.waiting) return;
    this.waiting.left -= this.early.split(this.waiting.what).length - 1;
    this.early = '';
    if (this.waiting.left > 0) return;
    this.waiting.resolve();
    this.waiting = undefined;
  }
}
