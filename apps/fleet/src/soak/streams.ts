import { randomUUID } from 'node:crypto';
import { readEvents, type ReadEvent } from '../load/event-reader.js';
import { callTool, openGet, openPost, openSession, post } from '../load/wire.js';
import type { Fleet } from '../fleet.js';
import { quantile, type Scenario } from './scenario.js';

const STEPS = 150;

/** Streams that are cut, and resumed at another replica each time. */
export const streams: Scenario = {
  name: 'streams',
  async run(fleet, quick) {
    const count = quick ? 4 : 20;
    const results = await Promise.all(Array.from({ length: count }, (_, index) => follow(fleet, index)));
    const sum = (key: 'cuts' | 'missed' | 'doubled') =>
      results.map((result) => result[key]).reduce((total, each) => total + each, 0);
    return [
      { name: `events of ${count} streams`, value: count * STEPS },
      { name: 'cuts, each followed by resuming at another replica', value: sum('cuts') },
      { name: 'events missed', value: sum('missed'), atMost: 0 },
      { name: 'events doubled', value: sum('doubled'), atMost: 0 },
    ];
  },
};

async function follow({ replicas }: Fleet, first: number) {
  const user = randomUUID();
  const urlOf = (turn: number) => replicas[turn % replicas.length]!.url;
  const session = await openSession(urlOf(first), user);
  const asking = { user, session };
  const steps: number[] = [];
  let lastId: string | undefined;
  let isDone = false;
  const read = async (events: AsyncIterable<ReadEvent>, most: number) => {
    for await (const { id, message } of events) {
      lastId = id ?? lastId;
      if (message?.method === 'notifications/message')
        steps.push((message.params!['data'] as { step: number }).step);
      if (message?.result || message?.error) isDone = true;
      if (steps.length >= most) return;
    }
  };
  const params = { name: 'count_slowly', arguments: { steps: STEPS, ms: 20 } };
  await read(readEvents(await openPost(urlOf(first), 'tools/call', params, asking)), 10);
  let cuts = 0;
  while (!isDone) {
    cuts++;
    await read(readEvents(await openGet(urlOf(first + cuts), asking, lastId)), steps.length + 15);
  }
  const seen = new Set(steps);
  return { cuts, missed: STEPS - seen.size, doubled: steps.length - seen.size };
}

/** How soon a subscriber of one replica hears of a change that another one makes. */
export const changes: Scenario = {
  name: 'changes',
  async run({ replicas }, quick) {
    const user = randomUUID();
    const session = await openSession(replicas[0]!.url, user);
    await post(replicas[0]!.url, 'resources/subscribe', { uri: 'fleet://notice' }, { session, user });
    const stream = await openGet(replicas[0]!.url, { session, user });
    const events = readEvents(stream);
    const delays: number[] = [];
    for (let change = 0; change < (quick ? 20 : 500); change++) {
      const start = performance.now();
      const writing = callTool(replicas[1 + (change % (replicas.length - 1))]!.url, 'write_notice', {
        text: String(change),
      });
      for (;;) {
        const { value } = await events.next();
        if (value?.message?.method === 'notifications/resources/updated') break;
      }
      delays.push(performance.now() - start);
      await writing;
    }
    stream.destroy();
    return [
      { name: 'changes, from the call of the writer to the subscriber elsewhere', value: delays.length },
      { name: 'p50', value: quantile(delays, 0.5), unit: 'ms' },
      { name: 'p99', value: quantile(delays, 0.99), unit: 'ms' },
      { name: 'longest', value: Math.max(...delays), unit: 'ms', atMost: 200 },
    ];
  },
};
