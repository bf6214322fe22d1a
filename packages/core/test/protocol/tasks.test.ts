import { ProtocolError, Timeout, ToolError } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { MemoryTaskStore } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { asked, createProtocolFixture } from '../support/protocol-fixture.js';
import {
  begin,
  begun,
  cancel,
  client,
  EXTENSION,
  get,
  subject,
  task,
  update,
  useTasks,
} from '../support/task-fixture.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

useTasks();

describe('a task begins', () => {
  test('with an answer at once, and ends with the result of the call', async () => {
    const { result } = await begin('work', { gate: 'a' });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000 });
    expect(await get(result.taskId)).toMatchObject({ resultType: 'complete', status: 'working' });
    subject.gates.open('a');
    await settled();
    expect(await get(result.taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'through a' }] },
    });
  });

  test('only for clients that declared the extension; others wait for the result', async () => {
    task('quick', () => 'done');
    expect((await new StatelessWire(subject.server).call('quick')).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'done' }],
    });
  });

  test.each([[{}], [{ extensions: [] }], [{ extensions: { [EXTENSION]: true } }], [{ extensions: {} }]])(
    'and a client that declares %j is refused if a task is required',
    async (capabilities) => {
      task('must', () => 'done', { task: 'required' });
      const { error } = await StatelessWire.of(subject.server, 'ada', capabilities).call('must');
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
      });
    },
  );

  test.each([
    ['2025-06-18', -32600],
    ['2025-11-25', -32601],
  ])('never by itself on %s, where a call of a tool that needs a task is refused', async (revision, code) => {
    task('must', () => 'done', { task: 'required' });
    expect((await new StatefulWire(subject.server, { revision }).call('must')).error.code).toBe(code);
  });

  test('after the checks of the call, whose refusals are answered at once', async () => {
    expect((await begin('work', { gate: 5 })).result).toMatchObject({
      resultType: 'complete',
      isError: true,
    });
  });

  test('unless the caller has too many', async () => {
    const store = new MemoryTaskStore(subject.clock, { maxPerOwner: 1 });
    const { server } = await createProtocolFixture({ stores: { tasks: store } });
    server.tools.add({ name: 'job', description: 'Job.', task: 'optional', handler: () => 'done' });
    expect((await client(server).call('job')).result.resultType).toBe('task');
    const { result } = await client(server).call('job');
    expect(result.content[0].text).toMatch(/too many tasks/);
    await server.close(0);
  });

  test('unless its client has already gone', async () => {
    task('spoken', explicit('before', 'after'), { task: { mode: 'required', start: 'explicit' } });
    const open = client().open('tools/call', { params: { name: 'spoken', arguments: {} } });
    await subject.gates.reached('before');
    open.giveUp();
    expect(await open.answer).toBeUndefined();
    expect(subject.gates.aborted).toEqual(['before']);
  });
});

const explicit =
  (before: string, after: string): ToolDefinition['handler'] =>
  async (_args, context) => {
    context.log.error('before');
    context.progress(1);
    await subject.gates.wait(before, context.signal);
    await context.startTask();
    context.log.error('after');
    await subject.gates.wait(after, context.signal);
    return 'done';
  };

test('a client that goes away after the beginning cancels nothing, and gets nothing more', async () => {
  task('spoken', explicit('before', 'after'), { task: { mode: 'required', start: 'explicit' } });
  const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'error' };
  const open = client().open('tools/call', { params: { name: 'spoken', arguments: {} }, meta });
  await subject.gates.reached('before');
  subject.gates.open('before');
  const { taskId } = (await open.answer)!.result;
  open.giveUp();
  await subject.gates.reached('after');
  subject.gates.open('after');
  await settled();
  expect(await get(taskId)).toMatchObject({ status: 'completed' });
  expect(open.inbox.messages.map(({ method }) => method)).toEqual([
    'notifications/message',
    'notifications/progress',
  ]);
});

describe('a task ends', () => {
  test('with an error for the model', async () => {
    task('refuses', () => Promise.reject(new ToolError('No.')));
    const taskId = await begun('refuses');
    await settled();
    expect(await get(taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'No.' }] },
    });
  });

  test('as failed, with an error of the protocol', async () => {
    task('breaks', () => Promise.reject(new ProtocolError(-32603, 'Broken.', { part: 1 })));
    const taskId = await begun('breaks');
    await settled();
    const ended = await get(taskId);
    expect(ended).toMatchObject({ status: 'failed', error: { code: -32603, data: { part: 1 } } });
    expect(ended).not.toHaveProperty('result');
  });

  test('as cancelled, for good: its method is told, and cancelling again is confirmed', async () => {
    const taskId = await begun('work', { gate: 'a' });
    for (const _again of [1, 2]) expect((await cancel(taskId)).result.resultType).toBe('complete');
    expect((await update(taskId, { x: 1 })).result.resultType).toBe('complete');
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(subject.gates.aborted).toEqual(['a']);
  });

  test('once: a completed task cannot be cancelled', async () => {
    const taskId = await begun('work', { gate: 'a' });
    subject.gates.open('a');
    await settled();
    await cancel(taskId);
    expect(await get(taskId)).toMatchObject({ status: 'completed' });
  });

  test('at its own deadline', async () => {
    const policies = [Timeout.entry('10s')];
    task('limited', ({ gate }, { signal }) => subject.gates.wait(String(gate), signal), { policies });
    const taskId = await begun('limited', { gate: 'limited' });
    await subject.clock.advance(60_000);
    expect(await get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
  });

  test('when it expires: it is stopped, and unknown from then on', async () => {
    const taskId = await begun('work', { gate: 'a' });
    await subject.clock.advance(3_600_000);
    expect((await client().request('tasks/get', { taskId })).error?.code).toBe(-32602);
    expect(subject.gates.aborted).toEqual(['a']);
  });

  test('without a timer if it never expires', async () => {
    const { server, clock } = await createProtocolFixture({ tasks: { ttl: null } });
    server.tools.add({ name: 'job', description: 'Job.', task: 'optional', handler: () => 'done' });
    expect((await client(server).call('job')).result.ttlMs).toBeNull();
    expect(clock.pending).toBe(0);
    await server.close(0);
  });
});

test("progress becomes the message of the task's status", async () => {
  task('reports', async (_args, context) => {
    context.progress(1, 3);
    await subject.gates.wait('first', context.signal);
    context.progress(2, 3, 'nearly');
    await subject.gates.wait('second', context.signal);
    context.progress(4);
    await subject.gates.wait('third', context.signal);
  });
  const taskId = await begun('reports');
  for (const [gate, statusMessage] of [
    ['first', '1 of 3'],
    ['second', 'nearly'],
    ['third', '4'],
  ] as const) {
    await subject.gates.reached(gate);
    await settled();
    expect(await get(taskId)).toMatchObject({ status: 'working', statusMessage });
    subject.gates.open(gate);
  }
});

describe('a server that stops', () => {
  test('waits for running tasks', async () => {
    await begun('work', { gate: 'a' });
    const drained = subject.server.drain(1_000);
    subject.gates.open('a');
    expect(await drained).toBe(true);
    expect(subject.gates.aborted).toEqual([]);
  });

  test('ends those that take too long, and says so', async () => {
    const taskId = await begun('work', { gate: 'a' });
    const drained = subject.server.drain(1_000);
    await subject.clock.advance(1_000);
    expect(await drained).toBe(false);
    const ending = { status: 'failed', error: { code: -32603, message: expect.stringContaining('stopped') } };
    expect(subject.store.get(taskId)).toMatchObject({ ending });
  });

  test('does not wait for tasks that wait for their client', async () => {
    task('asks', async (_args, context) => (await asked('who')(context)).action);
    await begun('asks');
    await settled();
    expect(await subject.server.drain(1_000)).toBe(true);
  });
});
