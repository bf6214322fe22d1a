import { RequireScopes, type ToolAnnotations } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import type { TaskRecord } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { accept, asked } from '../support/protocol-fixture.js';
import { gatedWork, queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { StatelessWire } from '../wire/stateless-wire.js';
import { EXTENSION } from '../support/task-fixture.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const readOnly = { annotations: { readOnlyHint: true } };
const work = (rest: Partial<ToolDefinition> = {}) => gatedWork(fleet, rest);

test('a task is carried out by a process that works, and its caller reads the result anywhere', async () => {
  const tools = [work()];
  fleet.web = await fleet.start(0, tools);
  const taskId = await fleet.begin('work', { gate: 'a' });
  await settled();
  expect(fleet.acts).toEqual([]);
  await fleet.start(1, tools);
  await fleet.gates.reached('a');
  expect(await fleet.get(taskId)).toMatchObject({ status: 'working' });
  fleet.gates.open('a');
  expect(await fleet.textOf(taskId)).toBe('through a');
  fleet.web = await fleet.start(0, tools);
  expect(await fleet.textOf(taskId)).toBe('through a');
});

test('the run in the process of the request ends without a failure, and gives back all it held', async () => {
  const cleaned: string[] = [];
  const spoken: ToolDefinition = {
    name: 'spoken',
    task: { mode: 'required', start: 'explicit' },
    async handler(_args, context) {
      context.onCleanup(() => cleaned.push('closed'));
      await context.startTask();
      return 'done';
    },
  };
  await fleet.serve([spoken], { concurrency: { perPrincipal: 1 } });
  for (let count = 0; count < 3; count++) {
    const taskId = await fleet.begin('spoken');
    expect(await fleet.textOf(taskId)).toBe('done');
  }
  expect(cleaned).toHaveLength(6);
  expect(fleet.web.runningWork()).toEqual([]);
  expect(fleet.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test.each<[ToolAnnotations]>([[{}], [{ destructiveHint: true }]])(
  'the audit log has one call with annotations %j: that it began as a task, and how it ended',
  async (annotations) => {
    await fleet.serve([{ name: 'quick', annotations, handler: () => 'done' }]);
    await fleet.textOf(await fleet.begin('quick'));
    const records = fleet.sink.records.map(({ event }) => event);
    const begun = annotations.destructiveHint ? [['intent', undefined, undefined]] : [];
    expect(records.map(({ event, detail, outcome }) => [event, detail, outcome])).toEqual([
      ...begun,
      ['intent', 'task', undefined],
      ['outcome', undefined, 'ok'],
    ]);
    expect(new Set(records.map(({ callId }) => callId)).size).toBe(1);
  },
);

test('what must not be done twice is done before the task begins, once', async () => {
  const tool: ToolDefinition = {
    name: 'limited',
    annotations: { destructiveHint: true },
    handler: () => 'done',
  };
  await fleet.serve([tool], { rateLimit: { points: 5, per: '1h' }, confirmDestructive: true });
  const { result: first } = await fleet.client().call('limited');
  const answered = {
    requestState: first.requestState,
    inputResponses: { 'toolwright.confirm': { action: 'accept', content: { confirm: true } } },
  };
  const taskId = await fleet.begin('limited', {}, answered);
  expect(await fleet.textOf(taskId)).toBe('done');
  expect(fleet.sink.events).toEqual(['intent', 'confirmed', 'intent', 'outcome ok']);
});

test('a caller who may no longer use the tool is refused when the work is taken', async () => {
  const tools = [{ name: 'secret', policies: [RequireScopes.entry('read')], handler: () => 'secret' }];
  let mayUse = true;
  const authorize = () => mayUse;
  fleet.web = await fleet.start(0, tools, { authorize });
  const principal = { subject: 'ada', scopes: ['read'] };
  const wire = new StatelessWire(
    fleet.web,
    { principal, ip: undefined, transport: 'memory' },
    { extensions: { [EXTENSION]: {} } },
  );
  const { taskId } = (await wire.call('secret')).result;
  mayUse = false;
  await fleet.start(1, tools, { authorize });
  await settled();
  const { result } = await wire.request('tasks/get', { taskId });
  expect(result).toMatchObject({
    status: 'failed',
    error: {
      code: -32603,
      message: expect.stringContaining('does not let the caller of this task use the tool "secret"'),
    },
  });
  expect(fleet.sink.events.at(-1)).toBe('denied denied');
});

describe('questions', () => {
  test('hold nothing: the method runs again from its start, and steps are done once', async () => {
    const interview: ToolDefinition = {
      name: 'interview',
      async handler(_args, context) {
        fleet.acts.push('run');
        const first = await asked('first')(context);
        await context.once('act', () => void fleet.acts.push('act'));
        const both = await Promise.all([asked('second')(context), asked('third')(context)]);
        return [first, ...both].map(({ content }) => content?.name).join(' ');
      },
    };
    await fleet.serve([interview]);
    const taskId = await fleet.begin('interview');
    expect(Object.keys((await fleet.get(taskId)).inputRequests)).toEqual(['first']);
    expect(fleet.queue.load()).toMatchObject({ waiting: 0, running: 0 });
    await fleet.update(taskId, { first: accept('Ada') });
    expect(Object.keys((await fleet.get(taskId)).inputRequests)).toEqual(['second', 'third']);
    await fleet.update(taskId, { second: accept(7), third: accept('Cid') });
    expect(Object.keys((await fleet.get(taskId)).inputRequests)).toEqual(['second~2']);
    await fleet.update(taskId, { 'second~2': accept('Bob') });
    expect(await fleet.textOf(taskId)).toBe('Ada Bob Cid');
    expect(fleet.acts.filter((act) => act === 'act')).toHaveLength(1);
    expect(fleet.sink.events).toEqual(['intent', 'outcome ok']);
  });

  test('of a client that cannot answer fail the task', async () => {
    await fleet.serve([{ name: 'asks', handler: async (_args, ctx) => (await asked('who')(ctx)).action }]);
    const { taskId } = (await fleet.client({}).call('asks')).result;
    expect(await fleet.get(taskId)).toMatchObject({ status: 'failed', error: { code: -32021 } });
  });

  test('with keys that look like second keys are kept apart', async () => {
    const handler: ToolDefinition['handler'] = async (_args, context) => {
      const names = [];
      for (const key of ['who', 'who~2']) names.push((await asked(key)(context)).content?.name);
      return names.join(' ');
    };
    await fleet.serve([{ name: 'asks', handler }]);
    const taskId = await fleet.begin('asks');
    await fleet.get(taskId);
    await fleet.update(taskId, { who: accept(1) });
    await fleet.get(taskId);
    await fleet.update(taskId, { 'who~2': accept('Ada') });
    expect(Object.keys((await fleet.get(taskId)).inputRequests)).toEqual(['who~2~1']);
    await fleet.update(taskId, { 'who~2~1': accept('Bob') });
    expect(await fleet.textOf(taskId)).toBe('Ada Bob');
  });
});

test('what the call did before it became a task is not done again', async () => {
  const tool: ToolDefinition = {
    name: 'later',
    task: { mode: 'required', start: 'explicit' },
    async handler(_args, context) {
      const { content } = await asked('who')(context);
      const made = await context.once('make', () => fleet.acts.push('make'));
      await context.startTask();
      fleet.acts.push('after');
      const { action } = await asked('sure')(context);
      return `${content?.name} ${made} ${action}`;
    },
  };
  await fleet.serve([tool]);
  const { result } = await fleet.client().call('later');
  const round = { requestState: result.requestState, inputResponses: { who: accept('Ada') } };
  const taskId = await fleet.begin('later', {}, round);
  expect(Object.keys((await fleet.get(taskId)).inputRequests)).toEqual(['sure']);
  await fleet.update(taskId, { sure: { action: 'decline' } });
  expect(await fleet.textOf(taskId)).toBe('Ada 1 decline');
  expect(fleet.acts).toEqual(['make', 'after', 'after']);
});

test('a method that catches the signal of its own end brings nothing more', async () => {
  const tool: ToolDefinition = {
    name: 'stubborn',
    task: { mode: 'required', start: 'explicit' },
    async handler(_args, context) {
      await context.startTask().catch(() => undefined);
      const ends = await Promise.allSettled([
        context.once('act', () => void fleet.acts.push('act')),
        asked('who')(context),
      ]);
      return ends.map(({ status }) => status).join();
    },
  };
  await fleet.serve([tool]);
  const taskId = await fleet.begin('stubborn');
  await fleet.get(taskId);
  await fleet.update(taskId, { who: accept('Ada') });
  expect(await fleet.textOf(taskId)).toBe('fulfilled,fulfilled');
  expect(fleet.acts).toEqual(['act']);
});

describe('a cancelled task', () => {
  test('stops its method, wherever it runs', async () => {
    await fleet.serve([work()]);
    const taskId = await fleet.begin('work', { gate: 'a' });
    await fleet.gates.reached('a');
    await fleet.cancel(taskId);
    await settled();
    expect(fleet.gates.aborted).toEqual(['a']);
    expect(await fleet.get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(fleet.sink.events.at(-1)).toBe('outcome cancelled');
  });

  test('stops a worker that only hears the bus', async () => {
    const { queue } = fleet;
    let ended: Partial<TaskRecord> | undefined;
    fleet.odd = { get: (id) => ({ ...queue.get(id)!, ...ended }) };
    await fleet.serve([work()]);
    const taskId = await fleet.begin('work', { gate: 'a' });
    await fleet.gates.reached('a');
    // The queue is slow to tell; the announcement of the process that cancelled is not.
    ended = { status: 'cancelled', ending: { status: 'cancelled' } };
    void fleet.bus.publish({ type: 'taskChanged', taskId });
    await settled();
    ended = undefined;
    expect(fleet.gates.aborted).toEqual(['a']);
  });
});

test('progress is written once a second, and no timer is left', async () => {
  const tool: ToolDefinition = {
    name: 'reports',
    async handler(_args, context) {
      for (let row = 1; row <= 50; row++) context.progress(row, 50);
      await fleet.gates.wait('first', context.signal);
      context.progress(51, 50, 'last words');
      await asked('who')(context);
      return 'done';
    },
  };
  const written: string[] = [];
  const { bus } = fleet;
  await fleet.serve([tool], { tasks: { ttl: null } });
  bus.subscribe(() => undefined);
  const taskId = await fleet.begin('reports');
  await fleet.gates.reached('first');
  const read = async () => void written.push((await fleet.get(taskId)).statusMessage);
  await read();
  await fleet.clock.advance(999);
  await read();
  await fleet.clock.advance(1);
  await read();
  await fleet.clock.advance(1_000);
  await read();
  fleet.gates.open('first');
  await read();
  expect(written).toEqual(['1 of 50', '1 of 50', '10 of 50', '50 of 50', 'last words']);
  await fleet.update(taskId, { who: accept('Ada') });
  await fleet.get(taskId);
  expect(fleet.clock.pending).toBe(0);
});

test('a result that is too large fails the task, with the advice to return a link', async () => {
  await fleet.serve([{ name: 'large', handler: () => 'x'.repeat(2_000) }], {
    tasks: { maxResultBytes: 1_000 },
  });
  const { status, error } = await fleet.get(await fleet.begin('large'));
  expect([status, error.data.reason]).toEqual(['failed', 'result_too_large']);
  expect(error.message).toMatch(/resource link/);
});

test('a queue that does not answer begins no task, and says so', async () => {
  fleet.odd = {
    enqueue: () => {
      throw new Error('connection refused');
    },
  };
  await fleet.serve([work()]);
  const { result } = await fleet.client().call('work', { gate: 'a' });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toMatch(/cannot begin tasks right now/);
});

test('a process that drains gives its task back, and another one finishes it', async () => {
  const tools = [work(readOnly)];
  fleet.web = await fleet.start(0, tools);
  const leaving = await fleet.start(1, tools);
  const taskId = await fleet.begin('work', { gate: 'a' });
  await fleet.gates.reached('a');
  const drained = leaving.drain(1_000);
  await fleet.clock.advance(1_000);
  expect(await drained).toBe(false);
  expect(fleet.gates.aborted).toEqual(['a']);
  fleet.gates.open('a');
  await fleet.start(1, tools);
  expect(await fleet.textOf(taskId)).toBe('through a');
});
