import { MemoryEventBus, MemoryTaskStore } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { asked, createProtocolFixture } from '../support/protocol-fixture.js';
import { begun, client, EXTENSION, subject, useTasks } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

useTasks();

describe('access', () => {
  test.each(['get', 'update', 'cancel'])(
    'a task of another caller seems not to exist: tasks/%s',
    async (method) => {
      const taskId = await begun('work', { gate: 'a' });
      const eve = StatelessWire.of(subject.server, 'eve', { extensions: { [EXTENSION]: {} } });
      const ask = (id: string) => eve.request(`tasks/${method}`, { taskId: id, inputResponses: {} });
      const [foreign, unknown] = [await ask(taskId), await ask('x'.repeat(32))];
      expect(foreign.error).toMatchObject({ code: -32602 });
      expect(foreign.error).toEqual(unknown.error);
    },
  );

  test.each(['get', 'update', 'cancel'])('tasks/%s needs the declared extension', async (method) => {
    const taskId = await begun('work', { gate: 'a' });
    const { error } = await StatelessWire.of(subject.server, 'ada').request(`tasks/${method}`, { taskId });
    expect(error?.code).toBe(-32021);
  });

  test('an id of another type is refused, and so is tasks/list', async () => {
    const parts = { headers: { 'mcp-name': '5' } };
    expect((await client().request('tasks/get', { taskId: 5 }, parts)).error?.code).toBe(-32602);
    expect((await client().request('tasks/list')).error?.code).toBe(-32601);
  });

  test('the extension is declared if a tool has tasks, and stays declared without it', async () => {
    const discover = async () => (await client().request('server/discover')).result.capabilities;
    expect(await discover()).toMatchObject({ extensions: { [EXTENSION]: {} } });
    subject.server.tools.remove('work');
    expect(await discover()).toHaveProperty('extensions');
    const { server } = await createProtocolFixture();
    expect((await client(server).request('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
    await server.close(0);
  });
});

test('processes that share a store and a bus answer for each other', async () => {
  const bus = new MemoryEventBus();
  const options = { stores: { bus, tasks: subject.store }, ports: { clock: subject.clock } };
  const [one, two] = await Promise.all([1, 2].map(() => createProtocolFixture(options)));
  for (const { server } of [one!, two!])
    server.tools.add({
      name: 'asks',
      description: 'Asks.',
      task: 'optional',
      handler: async (_args, context) => (await asked('who')(context)).content?.name,
    });
  const start = async () => (await client(one!.server).call('asks')).result.taskId as string;
  const other = client(two!.server);
  const answered = await start();
  await settled();
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  await other.request('tasks/update', { taskId: answered, inputResponses });
  await settled();
  const { result } = await other.request('tasks/get', { taskId: answered });
  expect(result).toMatchObject({ status: 'completed', result: { content: [{ text: 'Ada' }] } });
  await other.request('tasks/cancel', { taskId: await start() });
  // A stop has nothing to wait for.
  expect(await one!.server.drain(60_000)).toBe(true);
  await two!.server.close(0);
});

test('errors of a store or a bus are logged, and the task continues', async () => {
  const errors: string[] = [];
  const logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_: unknown, text?: string) => void errors.push(text!),
  };
  const store = new MemoryTaskStore(subject.clock);
  const broken = Object.assign(Object.create(store) as MemoryTaskStore, {
    create: store.create.bind(store),
    get: store.get.bind(store),
    end: () => Promise.reject(new Error('down')),
  });
  const bus = new MemoryEventBus();
  const silent = { subscribe: bus.subscribe.bind(bus), publish: () => Promise.reject(new Error('down')) };
  const { server } = await createProtocolFixture({ stores: { bus: silent, tasks: broken }, logger });
  server.tools.add({ name: 'job', description: 'Job.', task: 'optional', handler: () => 'done' });
  expect((await client(server).call('job')).result.resultType).toBe('task');
  await settled();
  expect(errors).toEqual(
    expect.arrayContaining(['A change could not be published', 'A task could not be stored']),
  );
  await server.close(0);
});
