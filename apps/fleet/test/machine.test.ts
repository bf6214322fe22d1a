import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { verifyAudit } from '@toolwright/audit';
import { until } from '../../../.ci/test/support/until.js';
import { readEvents, type ReadEvent } from '../src/load/event-reader.js';
import { callTool, openGet, openPost, openSession, post, type Answer } from '../src/load/wire.js';
import { Child } from '../src/processes/child.js';
import { Machine } from './support/machine.js';
import { mostAtATime, type Span } from './support/most-at-a-time.js';

const BELL = 'machine://bell';

describe('Two workers of one machine', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.start({ WORKERS: '2' });
  });
  afterAll(async () => {
    await machine?.stop();
    machine?.forget();
  });

  const isServed = ({ message }: Answer) => message?.result !== undefined && !message.result.isError;
  const valueOf = ({ message }: Answer) => message!.result!.structuredContent;

  it('A limit of 20 is 20, however the calls are spread', async () => {
    const lines = [await machine.lineTo(1), await machine.lineTo(2)];
    const answers = await machine.whileWorkersAnswer(() => {
      const user = randomUUID();
      return Promise.all(
        Array.from({ length: 60 }, (_, call) =>
          callTool(machine.url, 'rarely', {}, { user, agent: lines[call % 2] }),
        ),
      );
    });
    const served = answers.filter(isServed);
    expect(served).toHaveLength(20);
    expect(new Set(served.map(valueOf))).toEqual(new Set(['worker-1', 'worker-2']));
  });

  it('Two calls hold a slot at a time, whichever worker runs them', async () => {
    const answers = await machine.whileWorkersAnswer(() =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          callTool(machine.url, 'hold_slot', { ms: 60 }, { user: randomUUID() }),
        ),
      ),
    );
    const spans = answers.map((answer) => valueOf(answer) as Span & { instance: string });
    expect(mostAtATime(spans)).toBe(2);
  });

  it('A result of one worker is found by the other', async () => {
    const user = randomUUID();
    const measure = async (worker: number) =>
      valueOf(
        await callTool(
          machine.url,
          'measure',
          { topic: user },
          { user, agent: await machine.lineTo(worker) },
        ),
      );
    expect(await measure(2)).toEqual(await measure(1));
  });

  it('A confirmation counts once, at any worker', async () => {
    const user = randomUUID();
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const remove = async (worker: number, more: object = {}) =>
      post(
        machine.url,
        'tools/call',
        { name: 'remove_bell', arguments: {}, _meta: meta, ...more },
        { user, agent: await machine.lineTo(worker) },
      );
    const { requestState, inputRequests } = (await remove(1)).message!.result!;
    const [key] = Object.keys(inputRequests as object);
    const answers = {
      requestState,
      inputResponses: { [key!]: { action: 'accept', content: { confirm: true } } },
    };
    expect(valueOf(await remove(2, answers))).toBe('worker-2');
    expect(isServed(await remove(1, answers))).toBe(false);
  });

  it('A session that one worker opened is served by the other, until it is ended at either', async () => {
    const user = randomUUID();
    const session = await openSession(machine.url, user);
    const ask = async (worker: number) =>
      callTool(machine.url, 'whoami', {}, { user, session, agent: await machine.lineTo(worker) });
    expect([valueOf(await ask(1)), valueOf(await ask(2))]).toEqual([
      { instance: 'worker-1', principal: user },
      { instance: 'worker-2', principal: user },
    ]);
    const headers = { 'Mcp-Session-Id': session, Authorization: `Bearer ${user}` };
    expect((await fetch(machine.url, { method: 'DELETE', headers })).status).toBeLessThan(300);
    expect([(await ask(1)).status, (await ask(2)).status]).toEqual([404, 404]);
  });

  it('A change at one worker reaches the stream at the other, on both eras', async () => {
    const user = randomUUID();
    const session = await openSession(machine.url, user);
    const [first, second, third] = await Promise.all([1, 1, 2].map((worker) => machine.lineTo(worker)));
    // Subscribed at one worker, listening at the other.
    await post(machine.url, 'resources/subscribe', { uri: BELL }, { user, session, agent: third });
    const stream = readEvents(await openGet(machine.url, { user, session, agent: first }));
    const listen = { notifications: { resourceSubscriptions: [BELL] } };
    const listening = readEvents(
      await openPost(machine.url, 'subscriptions/listen', listen, { agent: second }),
    );
    const isListening = listening.next();
    expect((await isListening).value!.message!.method).toBe('notifications/subscriptions/acknowledged');
    const heard = Promise.all([stream, listening].map(firstUpdate));
    await callTool(machine.url, 'ring_bell', {}, { agent: await machine.lineTo(2) });
    expect(await heard).toEqual([BELL, BELL]);
  });

  it('A killed worker fails its own calls, and another one takes its place', async () => {
    const user = randomUUID();
    const session = await openSession(machine.url, user);
    const hold = { name: 'hold_slot', arguments: { ms: 60_000 }, _meta: { progressToken: 1 } };
    const held = await openPost(machine.url, 'tools/call', hold, { agent: await machine.lineTo(1) });
    const isBroken = once(held.resume(), 'error');
    const count = { name: 'count_slowly', arguments: { steps: 1_000, ms: 20 } };
    const counting = await openPost(machine.url, 'tools/call', count, {
      user,
      session,
      agent: await machine.lineTo(1),
    });
    const other = await machine.lineTo(2);
    const seen: ReadEvent[] = [];
    for await (const event of readEvents(counting)) {
      if (event.id !== undefined) seen.push(event);
      if (seen.length === 5) process.kill(machine.pids[0]!, 'SIGKILL');
    }
    await isBroken;
    expect(isServed(await callTool(machine.url, 'whoami', {}, { agent: other }))).toBe(true);
    // The stream is replayed at the other worker, which then says that the rest is lost.
    const replayed: ReadEvent[] = [];
    const asking = { user, session, agent: await machine.lineTo(2) };
    for await (const event of readEvents(await openGet(machine.url, asking, seen[0]!.id)))
      replayed.push(event);
    expect(replayed.length).toBeGreaterThanOrEqual(seen.length - 1);
    expect(replayed.at(-1)!.message!.error!.message).toContain('has ended');
    await until(async () => (await machine.state('/readyz')).state['away'] === undefined);
    expect(isServed(await callTool(machine.url, 'whoami', {}, { agent: await machine.lineTo(1) }))).toBe(
      true,
    );
    expect(machine.output).toContain('"message":"A worker has ended; its calls have failed"');
  });

  it('Running calls are finished when the machine is told to stop, and each worker has told its part', async () => {
    const count = { name: 'count_slowly', arguments: { steps: 20, ms: 20 }, _meta: { progressToken: 1 } };
    const running = await Promise.all(
      [1, 2].map(async (worker) =>
        openPost(machine.url, 'tools/call', count, { agent: await machine.lineTo(worker) }),
      ),
    );
    machine.signal('SIGTERM');
    const results = await Promise.all(running.map(lastResult));
    expect(results).toEqual([1, 2].map((worker) => ({ instance: `worker-${worker}`, steps: 20 })));
    await machine.exited;
    expect(machine.exitCode).toBe(0);
    for (const pid of machine.pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    // Whole lines: each is either the greeting or one JSON object.
    for (const line of machine.output.split('\n'))
      if (!line.startsWith('machine listening')) expect(JSON.parse(line)).toHaveProperty('message');
  });

  it('The audit log has a verified chain of each worker, and every call', async () => {
    const report = await verifyAudit({ file: machine.auditFile });
    expect(report.problems).toEqual([]);
    expect(report.verdict).toBe('consistent');
    expect(report.writers.map(({ closed }) => closed)).toEqual([true, true]);
  });
});

describe('Workers that cannot start', () => {
  it('are told of once, and end the primary process', async () => {
    const machine = await Machine.start({ WORKERS: '0', AUDIT_FILE: '' });
    const program = require.resolve('../dist/machine.js');
    const environment = { ...process.env, PORT: String(machine.port), WORKERS: '3', AUDIT_FILE: '' };
    const failed = Child.start(process.execPath, [program], {
      env: environment,
      ready: /^machine listening/,
    });
    const { message } = (await failed.catch((error: unknown) => error)) as Error;
    await machine.stop();
    machine.forget();
    expect(message).toContain('ended with 1');
    expect(message.match(/Port \d+ of 127\.0\.0\.1 is taken/g)).toHaveLength(1);
    expect(message).not.toContain('restartInMs');
    expect(message).toContain('A worker ended before it served');
  });
});

async function firstUpdate(events: AsyncIterable<ReadEvent>): Promise<unknown> {
  for await (const { message } of events)
    if (message?.method === 'notifications/resources/updated') return message.params!['uri'];
  return undefined;
}

async function lastResult(response: Parameters<typeof readEvents>[0]): Promise<unknown> {
  let result: unknown;
  for await (const { message } of readEvents(response)) result = message?.result?.structuredContent ?? result;
  return result;
}
