import { Agent } from 'node:http';
import type { Contestant } from '../contestants/catalogue.js';
import { ContestantServer } from '../processes/contestant-server.js';
import { open } from '../protocol/exchange.js';
import { openSession } from '../protocol/open-session.js';
import { wireRequest, type Question } from '../protocol/request.js';
import type { Metric, Run, Workload } from './workload.js';

/** Tools of the server whose memory is measured. */
const TOOLS = 10;
const ROUNDS = 3;
/**
 * Opened before the first reading, so that it includes what is paid once: with 50, compiled code came after it, some 400 KB.
 */
const FIRST = 1_000;
const AT_ONCE = 16;

const listen: Question = {
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true } },
};

const metrics: [Metric, ...Metric[]] = [
  { name: 'heap', unit: 'heap bytes each', better: 'lower' },
  { name: 'rss', unit: 'resident bytes each', better: 'lower' },
];

/** What an idle session costs. Its clients have gone away and may come back. */
export const sessionMemory: Workload = memory({
  name: 'memory-sessions',
  title: 'Memory of an idle session',
  takesPart: ({ dialects, name }) => dialects.includes('session') && !isPlain(name),
  baseline: 'sdk-v2',
  dialect: 'session',
  count: (run) => run.sessions,
  openOne: async (port, _index, agent) => void (await openSession(port, agent)),
});

/** What an open `subscriptions/listen` stream costs, its connection included. */
export const streamMemory: Workload = memory({
  name: 'memory-streams',
  title: 'Memory of an open subscriptions/listen stream',
  takesPart: ({ listens }) => listens,
  baseline: 'node-http',
  dialect: 'modern',
  count: (run) => run.streams,
  openOne: async (port, index, agent) => {
    const stream = await open(port, wireRequest(listen, index + 1, { dialect: 'modern' }), agent);
    if (stream.statusCode !== 200) throw new Error(`status ${stream.statusCode}`);
    await acknowledged(stream);
  },
});

interface Held {
  name: string;
  title: string;
  takesPart(contestant: Contestant): boolean;
  baseline: string;
  dialect: 'modern' | 'session';
  count(run: Run): number;
  openOne(port: number, index: number, agent: Agent): Promise<void>;
}

function memory({ name, title, takesPart, baseline, dialect, count, openOne }: Held): Workload {
  return {
    name,
    title,
    metrics,
    baseline,
    dialectOf: (contestant) => (takesPart(contestant) ? dialect : undefined),
    warmUps: 0,
    roundsAtMost: ROUNDS,
    secondsOf: () => 4,
    enter: async (contestant, _dialect, run) => {
      const generated = run.generated(TOOLS);
      const common = { transport: 'http' as const, dialect, tools: TOOLS, progress: false, generated };
      const sample = async () => {
        const server = ContestantServer.spawn(contestant, common, run.place);
        const agent = new Agent({ keepAlive: true });
        try {
          const port = await server.ready();
          const openAll = async (first: number, end: number) => {
            let next = first;
            const work = async () => {
              while (next < end) await openOne(port, next++, agent);
            };
            await Promise.all(Array.from({ length: AT_ONCE }, work));
          };
          await openAll(0, FIRST);
          const before = await server.memory();
          await openAll(FIRST, FIRST + count(run));
          const after = await server.memory();
          return {
            heap: (after.heap - before.heap) / count(run),
            rss: (after.rss - before.rss) / count(run),
          };
        } finally {
          agent.destroy();
          await server.stop();
        }
      };
      return { sample, stop: async () => {} };
    },
  };
}

const isPlain = (name: string) => name === 'node-http' || name.startsWith('express');

function acknowledged(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('error', reject);
    stream.on('end', () => reject(new Error(`the stream ended: ${text.slice(0, 200)}`)));
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('notifications/subscriptions/acknowledged')) resolve();
    });
  });
}
