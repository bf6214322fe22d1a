import { MaxOutput } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { taskSeals } from '@toolwright/queue';
import { settled } from '../support/fake-clock.js';
import { createProtocolFixture } from '../support/protocol-fixture.js';
import { queueFleet, queueSecret, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { EXTENSION } from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const words = { type: 'object', properties: { words: { type: 'array', items: { type: 'string' } } } };

/** A version of the tool. What it returns says which one has run. */
const find = (version?: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'find',
  description: `Find, version ${version}.`,
  annotations: { readOnlyHint: true },
  ...(version !== undefined && { version }),
  handler: () => `version ${version}`,
  ...more,
});

test('a process that works on tasks serves each version of a tool under each of its names', async () => {
  await fleet.serve([find('1'), find('2')]);
  expect(await fleet.textOf(await fleet.begin('find'))).toBe('version 2');
  expect(await fleet.textOf(await fleet.begin('find.v1'))).toBe('version 1');
  expect(await fleet.textOf(await fleet.begin('find.v2'))).toBe('version 2');
});

describe('a release that adds a version', () => {
  /** A task of the bare name waits, then a release comes. */
  async function released(before: ToolDefinition, after: ToolDefinition[]): Promise<string> {
    fleet.web = await fleet.start(0, [before]);
    const taskId = await fleet.begin('find');
    await fleet.start(1, after);
    return fleet.textOf(taskId);
  }

  test.each([
    ['with the same arguments', find('2')],
    ['with other arguments', find('2', { inputSchema: words })],
    ['that changes something', find('2', { annotations: { destructiveHint: true } })],
  ])('%s leaves a waiting task to the version that it was for', async (_what, second) => {
    expect(await released(find('1'), [second, find('1')])).toBe('version 1');
  });

  test.each([
    ['with the same arguments', find('2')],
    ['with other arguments', find('2', { inputSchema: words })],
  ])('%s leaves a task of the tool without versions to its first one', async (_what, second) => {
    const before = find(undefined, { description: 'Find.' });
    expect(await released(before, [second, find('1')])).toBe('version 1');
  });

  test('and takes the old one away lets the task fail, and does not run another version', async () => {
    fleet.web = await fleet.start(0, [find('1')]);
    const taskId = await fleet.begin('find');
    await fleet.start(1, [find('2')]);
    await fleet.clock.advance(300_000);
    const { status, error } = await fleet.get(taskId);
    expect([status, error.data.reason]).toEqual(['failed', 'tool_gone']);
    expect(error.message).toContain('"find.v1"');
  });
});

test('a job of a release that did not say the version is done by the version with its contract', async () => {
  fleet.web = await fleet.start(0, [find('1'), find('2')]);
  const { contract } = fleet.web.tools.list().find(({ name }) => name === 'find')!;
  const seals = taskSeals([queueSecret], 'test', fleet.logger);
  const job = {
    ...{ taskId: 'old', tool: 'find', arguments: {}, principal: { subject: 'ada', scopes: [] }, contract },
    ...{ revision: '2026-07-28', client: { capabilities: {} }, trace: {}, transport: 'http' },
    ...{ answers: {}, memories: {} },
  };
  const owner = JSON.stringify(['', 'ada', '']);
  fleet.queue.enqueue(
    { id: 'old', owner, ttlMs: null, pollIntervalMs: 1, tool: 'find' },
    seals('old').seal('job', JSON.stringify(job)),
  );
  await fleet.start(1, [find('1'), find('2'), find('3')]);
  expect(await fleet.textOf('old')).toBe('version 2');
});

test('operators and records know a task by the tool and its version', async () => {
  fleet.web = await fleet.start(0, [find('1'), find('2')]);
  for (const name of ['find', 'find.v1', 'find.v2']) await fleet.begin(name);
  const { tasks } = await fleet.web.operate('olga').state();
  expect(tasks!.map(({ tool }) => tool).sort()).toEqual(['find.v1', 'find.v2', 'find.v2']);
  await fleet.start(1, [find('2')]);
  await settled();
  await fleet.clock.advance(300_000);
  const ends = fleet.sink.records.map(({ event }) => event).filter(({ event }) => event === 'outcome');
  expect(ends.map(({ name, version, outcome }) => `${name} ${version} ${outcome}`).sort()).toEqual([
    'find 2 ok',
    'find 2 ok',
    'find.v1 undefined error',
  ]);
});

describe('what only an old version needs is declared', () => {
  const second = find('2', { task: undefined });
  const capabilities = async (first: ToolDefinition) => {
    const { server } = await createProtocolFixture();
    for (const { uri } of server.resources.list()) server.resources.remove(uri);
    for (const { uriTemplate } of server.resourceTemplates.list())
      server.resourceTemplates.remove(uriTemplate);
    server.tools.add(second);
    const discover = async () => (await new StatelessWire(server).request('server/discover')).result;
    const before = (await discover()).capabilities;
    server.tools.add(first);
    const after = (await discover()).capabilities;
    return { server, before, after };
  };

  test('tasks, and their methods work', async () => {
    const { server, before, after } = await capabilities(find('1', { task: 'optional' }));
    expect(before.extensions).toBeUndefined();
    expect(after.extensions).toEqual({ [EXTENSION]: {} });
    const ada = StatelessWire.of(server, 'ada', { extensions: { [EXTENSION]: {} } });
    const { taskId } = (await ada.call('find.v1')).result;
    await settled();
    expect((await ada.request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
    await server.close(0);
  });

  test('resources, for the rest of its results', async () => {
    const policies = [MaxOutput.entry({ bytes: 100, link: true })];
    const { server, before, after } = await capabilities(find('1', { policies }));
    expect([before.resources, after.resources]).toEqual([undefined, { listChanged: true, subscribe: true }]);
    await server.close(0);
  });
});
