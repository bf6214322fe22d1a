import { Concurrency, RateLimit, type McpServer, type ServerOptions } from '@toolwright/core';
import { MemoryTaskStore } from '@toolwright/core/ports';
import { boot } from './support/booting.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { Gates } from './support/gates.js';
import { queueFleet, stopQueueFleet, gatedWork } from './support/queue-fleet.js';
import { RecordingLogger } from './support/recording-logger.js';
import { RecordingSink } from './support/recording-sink.js';
import { RecordingSink as StreamSink, SessionWire } from './wire/session-wire.js';
import { StatelessWire } from './wire/stateless-wire.js';

const text = { type: 'object', properties: { text: { type: 'string' } } };

let server: McpServer;
let clock: FakeClock;
let gates: Gates;
const logger = new RecordingLogger();
const sink = new RecordingSink();

async function start(options: Partial<ServerOptions> = {}): Promise<void> {
  clock = new FakeClock();
  gates = new Gates();
  sink.records.length = 0;
  logger.lines.length = 0;
  server = await boot({ ports: { clock }, logger, audit: sink, ...options });
  server.tools.add({
    name: 'hold',
    description: 'Holds.',
    inputSchema: text,
    annotations: { readOnlyHint: true },
    policies: [Concurrency.entry({ max: 1 })],
    handler: async (args, { signal }) => gates.wait(String(args['text']), signal).then(() => 'done'),
  });
  server.tools.add({
    name: 'own_key',
    description: 'Has a key of its own.',
    inputSchema: text,
    policies: [RateLimit.entry({ points: 2, per: '1m', key: (call) => String(call.arguments['text']) })],
    handler: () => 'done',
  });
}

afterEach(async () => {
  for (const gate of ['a', 'b', 'c']) gates?.open(gate);
  await settled();
  await server.close(0);
});

const ann = () => StatelessWire.of(server, 'ann');
const ops = () => server.operate('olga');

describe('calls', () => {
  test('each call says who runs it and whether it waits, and has the number of its trace', async () => {
    await start();
    server.on('call', () => undefined);
    const first = ann().call('hold', { text: 'a' });
    await gates.reached('a');
    const second = StatelessWire.of(server, 'bob').call('hold', { text: 'b' });
    await settled();
    const { calls, counts, slots } = await ops().state();
    const since = clock.now();
    expect(calls).toMatchObject([
      { number: 1, name: 'hold', caller: { subject: 'ann' }, phase: 'running', since, isTask: false },
      { number: 2, name: 'hold', caller: { subject: 'bob' }, phase: 'queued', since },
    ]);
    expect(counts).toMatchObject({ calls: 2, abandoned: 0 });
    expect(slots).toEqual([
      { pool: 'server', caller: { subject: 'ann' }, limit: 32, held: 1, waiting: 0 },
      { pool: 'server', caller: { subject: 'bob' }, limit: 32, held: 1, waiting: 0 },
      { pool: 'tool hold', caller: { subject: 'ann' }, limit: 1, held: 1, waiting: 0 },
      { pool: 'tool hold', caller: { subject: 'bob' }, limit: 1, held: 0, waiting: 1 },
    ]);
    gates.open('a');
    gates.open('b');
    await Promise.all([first, second]);
    expect((await ops().state()).calls).toEqual([]);
  });

  test('a call that nobody traces gets a number when somebody asks, and keeps it', async () => {
    await start();
    void ann().call('hold', { text: 'a' });
    await gates.reached('a');
    const [one] = (await ops().state()).calls;
    const [again] = (await ops().state()).calls;
    expect(one!.number).toBe(1);
    expect(again).toEqual(one);
  });

  test('an operator ends a call: its client gets an answer, and its work is told', async () => {
    await start();
    const waiting = ann().call('hold', { text: 'a' });
    await gates.reached('a');
    const { number } = (await ops().state()).calls[0]!;
    expect(await ops().cancelCall(number)).toBe(true);
    const { result } = await waiting;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('An operator of this server ended the call of hold.');
    expect(gates.aborted).toEqual(['a']);
    expect(await ops().cancelCall(number)).toBe(false);
  });

  test('an operator ends a call that waits for its slot, and work that ignores its signal is abandoned', async () => {
    await start();
    let finish!: () => void;
    server.tools.add({
      name: 'deaf',
      description: 'Hears nothing.',
      annotations: { readOnlyHint: true },
      handler: () => new Promise<string>((resolve) => (finish = () => resolve('late'))),
    });
    void ann().call('hold', { text: 'a' });
    await gates.reached('a');
    const queued = ann().call('hold', { text: 'b' });
    const deaf = ann().call('deaf');
    await settled();
    for (const { number } of (await ops().state()).calls.slice(1)) await ops().cancelCall(number);
    expect((await queued).result.content[0].text).toContain('never began');
    expect((await deaf).result.content[0].text).toContain(
      'An operator of this server ended the call of deaf.',
    );
    const { calls, counts } = await ops().state();
    expect(calls.map(({ name, phase }) => [name, phase])).toEqual([
      ['hold', 'running'],
      ['deaf', 'abandoned'],
    ]);
    expect(counts.abandoned).toBe(1);
    finish();
    await settled();
    expect((await ops().state()).counts.abandoned).toBe(0);
  });
});

describe('limits', () => {
  test('what callers have used is shown and given back, one limit or all', async () => {
    await start({ rateLimit: { points: 10, per: '1m', anonymousByIp: true }, concurrency: false });
    await ann().call('own_key', { text: 'secret-of-ann' });
    gates.open('a');
    for (let count = 0; count < 3; count++) await ann().call('hold', { text: 'a' });
    await new StatelessWire(server, {
      principal: undefined,
      ip: '2001:db8:1:2:3::4',
      transport: 'http',
    }).call('hold', { text: 'a' });
    const { limits } = await ops().state();
    const resetsAt = clock.now() + 60_000;
    expect(limits).toEqual([
      { key: expect.any(String), operation: 'tool own_key', points: 2, used: 1, perMs: 60_000, resetsAt },
      {
        key: expect.any(String),
        operation: 'tool hold',
        caller: { subject: 'ann' },
        ...{ points: 10, used: 3, perMs: 60_000, resetsAt },
      },
      expect.objectContaining({ caller: { address: '2001:db8:1:2' }, used: 1 }),
    ]);
    expect(JSON.stringify(limits)).not.toContain('secret-of-ann');
    expect(await ops().resetLimits(limits[1]!.key)).toBe(1);
    expect((await ops().state()).limits.map(({ operation, caller }) => [operation, caller])).toEqual([
      ['tool own_key', undefined],
      ['tool hold', { address: '2001:db8:1:2' }],
    ]);
    expect(await ops().resetLimits()).toBe(2);
    expect(await ops().resetLimits()).toBe(0);
  });

  test('a caller who was refused may call again', async () => {
    await start();
    const call = () => ann().call('own_key', { text: 'k' });
    await call();
    await call();
    expect((await call()).result.isError).toBe(true);
    await ops().resetLimits();
    expect((await call()).result.isError).toBeUndefined();
  });

  test('a window that is over is not shown', async () => {
    await start();
    await ann().call('own_key', { text: 'k' });
    await clock.advance(60_000);
    expect((await ops().state()).limits).toEqual([]);
  });
});

describe('sessions, streams and subscriptions', () => {
  beforeEach(async () => {
    await start();
    server.resources.add({ uri: 'news://all', name: 'news', handler: () => 'news' });
    server.resourceTemplates.add({
      uriTemplate: 'page://{id}',
      name: 'page',
      handler: () => 'page',
    });
  });

  test('a session is named by a digest, and says whose it is and what it does', async () => {
    const wire = new SessionWire(server, { subject: 'ann' });
    await clock.advance(1_000);
    wire.session!.streams.listen(new StreamSink());
    await wire.request('resources/subscribe', { uri: 'page://secret-page' });
    await wire.request('resources/subscribe', { uri: 'news://all' });
    wire.open('tools/call', { name: 'hold', arguments: { text: 'a' } });
    await gates.reached('a');
    const state = await ops().state();
    expect(state.sessions).toEqual([
      {
        key: expect.stringMatching(/^[\w-]{43}$/),
        revision: '2025-11-25',
        client: 'test 1',
        caller: { subject: 'ann' },
        openedAt: clock.now() - 1_000,
        usedAt: clock.now(),
        ...{ requests: 1, streams: 2, subscriptions: 2 },
      },
    ]);
    const { key } = state.sessions[0]!;
    const ofSession = { caller: { subject: 'ann' }, client: 'test 1', session: key, isConnected: true };
    expect(state.streams).toEqual([
      { kind: 'changes', ...ofSession },
      { kind: 'answer', ...ofSession },
    ]);
    expect(state.subscriptions).toEqual([
      { kind: 'resource', of: 'page://{id}', count: 1 },
      { kind: 'resource', of: 'news://all', count: 1 },
    ]);
    const heard = JSON.stringify(state);
    expect(heard).not.toContain(wire.id);
    expect(heard).not.toContain('secret-page');
  });

  test('an operator ends a session', async () => {
    const wire = new SessionWire(server, { subject: 'ann' });
    const ended: string[] = [];
    server.on('sessionEnd', ({ sessionId }) => void ended.push(sessionId));
    const { key } = (await ops().state()).sessions[0]!;
    expect(await ops().endSession(wire.id)).toBe(false);
    expect(await ops().endSession(key)).toBe(true);
    expect(wire.session).toBeUndefined();
    expect(ended).toEqual([wire.id]);
    expect(await ops().endSession(key)).toBe(false);
  });

  test('listen streams are shown with what they want', async () => {
    const notifications = {
      toolsListChanged: true,
      resourceSubscriptions: ['page://1', 'page://2', 'gone://1'],
    };
    server.resources.add({ name: 'gone', uri: 'gone://1', handler: () => 'soon gone' });
    const stream = ann().open('subscriptions/listen', { params: { notifications } });
    await settled();
    server.resources.remove('gone://1');
    const { streams, subscriptions } = await ops().state();
    expect(streams).toEqual([
      { kind: 'listen', caller: { subject: 'ann' }, isConnected: true, since: clock.now() },
    ]);
    expect(subscriptions).toEqual([
      { kind: 'resource', of: 'page://{id}', count: 2 },
      { kind: 'list', of: 'tools', count: 1 },
      { kind: 'resource', of: 'a resource that does not exist', count: 1 },
    ]);
    stream.giveUp();
    await settled();
    expect((await ops().state()).streams).toEqual([]);
  });
});

describe('tasks', () => {
  afterEach(stopQueueFleet);

  test('tasks of all owners are shown and cancelled', async () => {
    await start();
    const fleet = queueFleet();
    await fleet.serve([gatedWork(fleet)]);
    const id = await fleet.begin('work', { gate: 'a' });
    const { clock: at } = fleet;
    await fleet.gates.reached('a');
    const operator = fleet.web.operate('olga');
    const { tasks, queue } = await operator.state();
    expect(queue).toMatchObject({ running: 1, waiting: 0, dead: 0 });
    expect(tasks).toEqual([
      {
        key: expect.stringMatching(/^[\w-]{43}$/),
        caller: { subject: 'ada' },
        tool: 'work',
        status: 'working',
        createdAt: at.now(),
        updatedAt: at.now(),
      },
    ]);
    expect(JSON.stringify(tasks)).not.toContain(id);
    expect(await operator.cancelTask(id)).toBe(false);
    expect(await operator.cancelTask(tasks![0]!.key)).toBe(true);
    expect((await fleet.get(id)).status).toBe('cancelled');
    expect(fleet.gates.aborted).toEqual(['a']);
    expect(await operator.cancelTask(tasks![0]!.key)).toBe(false);
    expect(await operator.retryTask(tasks![0]!.key)).toBeUndefined();
  });

  test('tasks of the process name their tool, too', async () => {
    await start();
    const fleet = queueFleet();
    fleet.web = await fleet.startInProcess([gatedWork(fleet)]);
    const id = await fleet.begin('work', { gate: 'a' });
    await fleet.gates.reached('a');
    const { tasks, calls, queue } = await fleet.web.operate('olga').state();
    expect(queue).toBeUndefined();
    expect(tasks).toMatchObject([{ tool: 'work', status: 'working' }]);
    expect(calls).toMatchObject([{ name: 'work', isTask: true }]);
    await fleet.web.operate('olga').cancelTask(tasks![0]!.key);
    expect((await fleet.get(id)).status).toBe('cancelled');
  });

  test('while the store does not answer, everything else is shown', async () => {
    const store = new MemoryTaskStore(new FakeClock());
    const admin = () => ({ list: () => Promise.reject(new Error('away')) });
    await start({ stores: { tasks: Object.assign(store, { admin }) } });
    const state = await ops().state();
    expect(state.tasks).toBeUndefined();
    expect(state.counts.calls).toBe(0);
    expect(logger.lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'An operator could not see the tasks',
    });
  });
});

describe('records', () => {
  test('the audit log says who did what, before it is done and after', async () => {
    await start();
    new SessionWire(server, { subject: 'ann' });
    const { key } = (await ops().state()).sessions[0]!;
    await ops().endSession(key);
    await ops().endSession('unknown');
    await ops().resetLimits();
    const of = (name: string, target?: string) => ({
      operation: 'operator',
      name,
      principal: { subject: 'olga' },
      loggable: target === undefined ? {} : { target },
    });
    expect(sink.records.map(({ event }) => event)).toMatchObject([
      { ...of('end session', key), event: 'intent' },
      { ...of('end session', key), event: 'outcome', outcome: 'ok' },
      { ...of('end session', 'unknown'), event: 'intent' },
      { ...of('end session', 'unknown'), event: 'outcome', outcome: 'nothing to do' },
      { ...of('reset limits'), event: 'intent' },
      { ...of('reset limits'), event: 'outcome', outcome: 'nothing to do' },
    ]);
    const [intent, outcome] = sink.records.map(({ event }) => event);
    expect(outcome!.callId).toBe(intent!.callId);
    expect(outcome!.id).not.toBe(intent!.id);
    expect(logger.lines.filter(({ message }) => message === 'An operator changed the server')).toHaveLength(
      3,
    );
  });

  test('nothing is done that cannot be recorded', async () => {
    await start();
    const wire = new SessionWire(server, { subject: 'ann' });
    const { key } = (await ops().state()).sessions[0]!;
    sink.before = () => {
      throw new Error('disk full');
    };
    await expect(ops().endSession(key)).rejects.toThrow(/could not be recorded/);
    sink.before = () => undefined;
    expect(wire.session).toBeDefined();
  });

  test('looking is not recorded', async () => {
    await start();
    await ops().state();
    expect(sink.records).toEqual([]);
  });
});

test('a list is cut, and says how long it is', async () => {
  await start();
  for (const subject of ['ann', 'bob', 'cid']) {
    new SessionWire(server, { subject });
    await clock.advance(1);
  }
  const { sessions, counts } = await ops().state(2);
  expect(sessions.map(({ caller }) => caller.subject)).toEqual(['cid', 'bob']);
  expect(counts.sessions).toBe(3);
});
