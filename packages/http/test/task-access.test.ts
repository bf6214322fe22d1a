import { MemoryEventBus, MemoryTaskStore, systemClock } from '@toolwright/core';
import { serveHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { LiveStream } from './support/live-stream.js';
import {
  capabilities,
  accept,
  subject,
  asked,
  begun,
  request,
  get,
  codeOf,
  useTaskService,
} from './support/task-service.js';
import { call, modern, send } from './support/wire.js';

useTaskService();

describe('access', () => {
  test.each(['get', 'update', 'cancel'])(
    'a task of another caller seems not to exist: tasks/%s',
    async (method) => {
      const taskId = await begun('work', { gate: 'a' });
      const params = { inputResponses: {} };
      const foreign = await send(subject.service.url, request(method, taskId, params, { 'x-user': 'eve' }));
      const unknown = await send(subject.service.url, request(method, 'x'.repeat(32), params));
      expect(foreign.json.error.code).toBe(-32602);
      expect({ status: foreign.status, error: foreign.json.error }).toEqual({
        status: unknown.status,
        error: unknown.json.error,
      });
      expect(await get(taskId)).toMatchObject({ status: 'working' });
    },
  );

  test.each(['get', 'update', 'cancel'])('tasks/%s needs the declared extension', async (method) => {
    const taskId = await begun('work', { gate: 'a' });
    const wire = modern(`tasks/${method}`, { params: { taskId, inputResponses: {} } });
    const { status, json } = await send(subject.service.url, wire);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: -32021 });
  });

  test.each(['get', 'update', 'cancel'])('the header names the task of tasks/%s', async (method) => {
    const taskId = await begun('work', { gate: 'a' });
    for (const name of ['other', undefined]) {
      const wire = modern(`tasks/${method}`, {
        capabilities,
        params: { taskId },
        headers: { 'mcp-name': name },
      });
      expect(await codeOf(wire)).toBe(-32020);
    }
  });

  test.each(['list', 'result'])('there is no tasks/%s', async (method) => {
    expect(await codeOf(request(method, 'x'))).toBe(-32601);
  });

  test('an id of another type is refused', async () => {
    expect(await codeOf(request('get', 5, {}, { 'mcp-name': '5' }))).toBe(-32602);
  });
});

describe('listening', () => {
  const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
  const listen = (taskIds: string[], headers: Record<string, string> = {}) =>
    LiveStream.open(
      subject.service.url,
      modern('subscriptions/listen', {
        id: 's',
        capabilities,
        params: { notifications: { taskIds } },
        headers,
      }),
    );

  test("sends changes of the caller's tasks, each as tasks/get would", async () => {
    const taskId = await begun('work', { gate: 'a' });
    const stream = await listen([taskId, 'unknown']);
    expect((await stream.event(1)).message.params.notifications).toEqual({ taskIds: [taskId] });
    expect((await stream.event(2)).message).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', _meta: { [SUBSCRIPTION]: 's' } },
    });
    subject.fixture.gates.open('a');
    const { params } = (await stream.event(3)).message;
    const { resultType: _resultType, _meta, ...task } = await get(taskId);
    expect(params).toEqual({ ...task, _meta: { [SUBSCRIPTION]: 's' } });
    expect(params.status).toBe('completed');
    stream.close();
  });

  test('sends nothing to others', async () => {
    const taskId = await begun('work', { gate: 'a' });
    const stream = await listen([taskId], { 'x-user': 'eve' });
    expect((await stream.event(1)).message.params.notifications).toEqual({});
    stream.close();
  });

  test('needs the declared extension', async () => {
    const wire = modern('subscriptions/listen', { params: { notifications: { taskIds: ['x'] } } });
    expect((await send(subject.service.url, wire)).json.error.code).toBe(-32021);
  });
});

test('processes that share a store and a bus answer for each other', async () => {
  const bus = new MemoryEventBus();
  const store = new MemoryTaskStore(systemClock);
  const [one, two] = await Promise.all([1, 2].map(() => createFixture({ bus, tasks: { store } })));
  for (const { server } of [one!, two!]) {
    server.tools.add({
      name: 'asks',
      description: 'Asks.',
      task: 'optional',
      handler: async (_args, context) => (await asked('who')(context)).content?.name,
    });
  }
  const services = await Promise.all(
    [one!, two!].map(({ server }) => serveHttp(server, { port: 0, signals: false })),
  );
  const [first, second] = services.map(({ url }) => url);
  const taskAt = async (url: string, taskId: string) => (await send(url, request('get', taskId))).json.result;
  const start = async () => (await send(first!, call('asks', {}, { capabilities }))).json.result.taskId;

  const answered = await start();
  while ((await taskAt(second!, answered)).status !== 'input_required');
  await send(second!, request('update', answered, { inputResponses: { who: accept('Ada') } }));
  let task = await taskAt(second!, answered);
  while (task.status !== 'completed') task = await taskAt(second!, answered);
  expect(task.result.content[0].text).toBe('Ada');

  await send(second!, request('cancel', await start()));
  // Nothing is left that a stop would have to wait for.
  expect(await one!.server.drain(60_000)).toBe(true);
  await Promise.all(services.map((service) => service.close()));
});
