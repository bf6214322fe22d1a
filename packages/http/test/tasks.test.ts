import { MemoryTaskStore, ProtocolError, Timeout, ToolError } from '@toolwright/core';
import { serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import {
  EXTENSION,
  capabilities,
  subject,
  addTask,
  asked,
  begin,
  begun,
  request,
  get,
  update,
  cancel,
  codeOf,
  until,
  ended,
  waiting,
  acknowledged,
  useTaskService,
} from './support/task-service.js';
import { call, modern, send } from './support/wire.js';

useTaskService();

describe('creation', () => {
  test('a call is answered with a flat task, which exists at once and ends with the full result', async () => {
    const { json } = await begin('work', { gate: 'a' });
    const { taskId } = json.result;
    const times = { createdAt: '2026-07-28T00:00:00.000Z', lastUpdatedAt: '2026-07-28T00:00:00.000Z' };
    const task = { taskId, status: 'working', ...times, ttlMs: 3_600_000, pollIntervalMs: 1_000 };
    expect(json.result).toEqual({ resultType: 'task', ...task, _meta: expect.anything() });
    expect(taskId).toMatch(/^[\w-]{32}$/);
    expect(await get(taskId)).toEqual({ resultType: 'complete', ...task, _meta: expect.anything() });
    subject.fixture.gates.open('a');
    const { result, status } = await ended(taskId);
    expect(status).toBe('completed');
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'through a' }] });
  });

  test('clients that did not declare the extension wait for the result', async () => {
    addTask('quick', () => () => 'done');
    const { json } = await send(subject.service.url, call('quick'));
    expect(json.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  test('if a task is required, they are refused, in both eras', async () => {
    addTask('must', () => () => 'done', { task: 'required' });
    const { status, json } = await send(subject.service.url, call('must'));
    const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };
    expect({ status, error: json.error }).toMatchObject({ status: 400, error: { code: -32021, data } });
    for (const [revision, told] of [
      ['2025-06-18', { code: -32600, data }],
      ['2025-11-25', { code: -32601 }],
    ] as const) {
      const legacy = await LegacyClient.connect(subject.service.url, revision);
      const { json: refused } = await legacy.request('tools/call', { name: 'must', arguments: {} });
      expect(refused.error).toMatchObject(told);
    }
  });

  test('refusals of the guards are answered at once', async () => {
    const { json } = await begin('work', { gate: 5 });
    expect(json.result).toMatchObject({ resultType: 'complete', isError: true });
  });

  test('the extension is declared if a tool has tasks, and stays declared without it', async () => {
    const discover = async (url = subject.service.url) =>
      (await send(url, modern('server/discover'))).json.result.capabilities;
    expect(await discover()).toMatchObject({ extensions: { [EXTENSION]: {} } });
    expect(await discover()).not.toHaveProperty('tasks');
    subject.fixture.server.tools.remove('work');
    expect(await discover()).toHaveProperty('extensions');
    const plain = await createFixture();
    const other = await serveHttp(plain.server, { port: 0, signals: false });
    expect(await discover(other.url)).not.toHaveProperty('extensions');
    expect((await send(other.url, request('get', 'x'))).json.error.code).toBe(-32601);
    await other.close();
  });

  test('the tasks of a caller are limited', async () => {
    const store = new MemoryTaskStore(subject.clock, { maxPerOwner: 1 });
    const { server } = await createFixture({ tasks: { store } });
    const other = await serveHttp(server, { port: 0, signals: false });
    server.tools.add({ name: 'job', description: 'Job.', task: 'optional', handler: () => 'done' });
    const ask = () => send(other.url, call('job', {}, { capabilities }));
    expect((await ask()).json.result.resultType).toBe('task');
    const { result } = (await ask()).json;
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(result.content[0].text).toMatch(/too many tasks/);
    await other.close();
  });
});

describe('endings', () => {
  test('an error for the model completes the task', async () => {
    addTask('refuses', () => () => Promise.reject(new ToolError('No.')));
    expect(await ended(await begun('refuses'))).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'No.' }] },
    });
  });

  test('an error of the protocol fails it, without a result', async () => {
    addTask('breaks', () => () => Promise.reject(new ProtocolError(-32603, 'Broken.', { part: 1 })));
    const task = await ended(await begun('breaks'));
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: 'Broken.', data: { part: 1 } },
    });
    expect(task).not.toHaveProperty('result');
  });

  test('a cancelled task stays cancelled, its method is told, and cancelling again is confirmed', async () => {
    const taskId = await begun('work', { gate: 'a' });
    expect((await cancel(taskId)).json).toEqual(acknowledged);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(subject.fixture.gates.aborted).toEqual(['a']);
    expect((await cancel(taskId)).json).toEqual(acknowledged);
    expect((await update(taskId, { x: 1 })).json).toEqual(acknowledged);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  test('a completed task cannot be cancelled', async () => {
    const taskId = await begun('work', { gate: 'a' });
    subject.fixture.gates.open('a');
    const before = await ended(taskId);
    await cancel(taskId);
    expect(await get(taskId)).toEqual(before);
  });

  test('the default deadline does not apply to tasks, but their own deadline does', async () => {
    addTask(
      'limited',
      ({ gates }) =>
        ({ gate }, { signal }) =>
          gates.wait(String(gate), signal),
      {
        policies: [Timeout.entry('10s')],
      },
    );
    const free = await begun('work', { gate: 'free' });
    const limited = await begun('limited', { gate: 'limited' });
    subject.clock.advance(60_000);
    expect(await ended(limited)).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(subject.fixture.gates.aborted).toEqual(['limited']);
    subject.fixture.gates.open('free');
    expect(await ended(free)).toMatchObject({ result: { content: [{ text: 'through free' }] } });
  });

  test('an expired task is unknown, and stopped', async () => {
    const taskId = await begun('work', { gate: 'a' });
    subject.clock.advance(3_600_000);
    for (const method of ['get', 'cancel']) expect(await codeOf(request(method, taskId))).toBe(-32602);
    expect(subject.fixture.gates.aborted).toEqual(['a']);
  });

  test('progress becomes the message of its status', async () => {
    addTask('reports', ({ gates }) => async (_args, context) => {
      context.progress(1, 3);
      await gates.wait('first', context.signal);
      context.progress(2, 3, 'nearly');
      await gates.wait('second', context.signal);
    });
    const taskId = await begun('reports');
    expect(await get(taskId)).toMatchObject({ status: 'working', statusMessage: '1 of 3' });
    subject.fixture.gates.open('first');
    await until(taskId, ({ statusMessage }) => statusMessage === 'nearly');
    subject.fixture.gates.open('second');
    await ended(taskId);
  });
});

test('a client that goes away cancels nothing', async () => {
  addTask(
    'spoken',
    ({ gates }) =>
      async (_args, context) => {
        context.progress(1);
        await gates.wait('before', context.signal);
        await context.startTask();
        await gates.wait('after', context.signal);
        return 'done';
      },
    { task: { mode: 'required', start: 'explicit' } },
  );
  const stream = await LiveStream.open(
    subject.service.url,
    call('spoken', {}, { capabilities, meta: { progressToken: 1 } }),
  );
  await stream.event(1);
  subject.fixture.gates.open('before');
  const { taskId } = (await stream.event(2)).message.result;
  stream.close();
  await until(taskId, () => subject.fixture.gates.entered.includes('after'));
  subject.fixture.gates.open('after');
  expect(await ended(taskId)).toMatchObject({ status: 'completed' });
});

describe('a server that stops', () => {
  test('waits for running tasks', async () => {
    await begun('work', { gate: 'a' });
    const drained = subject.fixture.server.drain(1_000);
    subject.fixture.gates.open('a');
    expect(await drained).toBe(true);
    expect(subject.fixture.gates.aborted).toEqual([]);
  });

  test('ends those that take too long, and says so', async () => {
    const taskId = await begun('work', { gate: 'a' });
    const drained = subject.fixture.server.drain(1_000);
    subject.clock.advance(1_000);
    expect(await drained).toBe(false);
    expect(subject.fixture.gates.aborted).toEqual(['a']);
    const task = subject.store.get(taskId);
    expect(task?.ending).toMatchObject({ status: 'failed', error: { code: -32603 } });
  });

  test('does not wait for tasks that wait for their client', async () => {
    addTask('asks', () => async (_args, context) => (await asked('who')(context)).action);
    await waiting(await begun('asks'));
    expect(await subject.fixture.server.drain(1_000)).toBe(true);
  });
});
