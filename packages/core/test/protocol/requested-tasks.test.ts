import { RequireScopes, ToolError } from '@toolwright/core';
import { settled } from '../support/fake-clock.js';
import { subject, task, useTasks } from '../support/task-fixture.js';
import { StatefulWire } from '../wire/stateful-wire.js';

useTasks();

const ada = (revision = '2025-11-25', capabilities: object = {}) =>
  new StatefulWire(subject.server, { revision, capabilities, subject: 'ada' });
const callAsTask = (wire: StatefulWire, name: string, task: object = {}) =>
  wire.request('tools/call', { name, arguments: { gate: 'a' }, task });

test('A task belongs to its caller', async () => {
  const { taskId } = (await callAsTask(ada(), 'work')).result.task;
  const eve = new StatefulWire(subject.server, { subject: 'eve' });
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    expect((await eve.request(method, { taskId })).error.code).toBe(-32602);
  expect((await eve.request('tasks/list')).result).toEqual({ tasks: [] });
  expect((await ada().request('tasks/list')).result.tasks).toMatchObject([{ taskId, status: 'working' }]);
});

test('Lists say which tools run as tasks', async () => {
  task('must', () => 'done', { task: 'required' });
  subject.server.tools.add({ name: 'plain', description: 'Plain.', handler: () => 'done' });
  const { tools } = (await ada().request('tools/list')).result as {
    tools: { name: string; execution?: { taskSupport: string } }[];
  };
  const supported = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
  expect(supported).toMatchObject({ work: 'optional', must: 'required', plain: undefined });
});

test('A call as a task of a tool without tasks is refused, and so is a task that does not exist', async () => {
  subject.server.tools.add({ name: 'plain', description: 'Plain.', handler: () => 'done' });
  const wire = ada();
  expect((await callAsTask(wire, 'plain')).error.message).toContain('does not run as a task');
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    expect((await wire.request(method, { taskId: 'x' })).error.code).toBe(-32602);
  expect((await wire.request('tasks/list', { cursor: 'x' })).error.code).toBe(-32602);
});

test('An error of the tool fails the task, and the client may read it', async () => {
  task('refuse', () => Promise.reject(new ToolError('No.')));
  const wire = ada();
  const { taskId } = (await callAsTask(wire, 'refuse')).result.task;
  const { result } = await wire.request('tasks/result', { taskId });
  expect(result).toMatchObject({ isError: true, content: [{ text: 'No.' }] });
  expect((await wire.request('tasks/get', { taskId })).result.status).toBe('failed');
});

test('Arguments that do not fit become a task, too, which has failed', async () => {
  const wire = ada();
  const call = { name: 'work', arguments: { gate: 5 }, task: {} };
  const { taskId } = (await wire.request('tools/call', call)).result.task;
  const { result } = await wire.request('tasks/result', { taskId });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('gate') }] });
});

test('A task is cancelled once', async () => {
  const wire = ada();
  const { taskId } = (await callAsTask(wire, 'work')).result.task;
  expect((await wire.request('tasks/cancel', { taskId })).result.status).toBe('cancelled');
  expect((await wire.request('tasks/cancel', { taskId })).error.message).toContain('already ended');
  expect((await wire.request('tasks/result', { taskId })).error.message).toContain('cancelled');
});

test('Anonymous callers get no list: they are one owner', async () => {
  const wire = new StatefulWire(subject.server);
  const { taskId } = (await callAsTask(wire, 'work')).result.task;
  expect((await wire.request('tasks/list')).error.code).toBe(-32601);
  expect((await wire.request('tasks/get', { taskId })).result.status).toBe('working');
  const handshake = await wire.inbox.find(({ id }) => id === 1);
  expect(handshake.result.capabilities.tasks).not.toHaveProperty('list');
});

test('Older revisions know none of it, and ignore the wish', async () => {
  const wire = ada('2025-06-18');
  task('quick', () => 'done');
  expect((await callAsTask(wire, 'quick')).result.content[0].text).toBe('done');
  for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])
    expect((await wire.request(method, { taskId: 'x' })).error.code).toBe(-32601);
  expect(
    (await wire.request('tools/list')).result.tools.every((tool: object) => !('execution' in tool)),
  ).toBe(true);
});

test('A caller without the scopes of a tool gets the refusal, and no task', async () => {
  const policies = [RequireScopes.entry('secret')];
  task('hidden', () => 'done', { policies });
  const hidden = await callAsTask(ada(), 'hidden');
  expect([hidden.result, hidden.error.code]).toEqual([undefined, 403]);
  expect(subject.store.list(JSON.stringify(['', 'ada', '']))).toEqual({ tasks: [] });
});

test('The client may ask for a shorter life of its task, and not for a longer one', async () => {
  const ttl = async (wish: unknown) => (await callAsTask(ada(), 'work', { ttl: wish })).result.task.ttl;
  expect([await ttl(500), await ttl(10 ** 12), await ttl(-1), await ttl('x')]).toEqual([
    500, 3_600_000, 3_600_000, 3_600_000,
  ]);
});

test('A question that the client cannot answer fails a task that cannot go on without it', async () => {
  task('look', async (_args, context) => JSON.stringify(await context.roots()));
  const wire = ada('2025-11-25', { roots: {} });
  const { taskId } = (await callAsTask(wire, 'look')).result.task;
  await settled();
  const waiting = wire.request('tasks/result', { taskId });
  const { id, params } = await wire.question('roots/list');
  expect(params._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId } });
  wire.answer(id, { error: { code: -1, message: 'no roots' } });
  expect((await waiting).error.message).toMatch(/could not answer a question of this task: .*no roots/);
});

test('A client that stops waiting for a result cancels nothing, and may ask again', async () => {
  const wire = ada();
  const { taskId } = (await callAsTask(wire, 'work')).result.task;
  wire.tell(7, 'tasks/result', { taskId });
  await settled();
  wire.notify('notifications/cancelled', { requestId: 7 });
  await settled();
  const waiting = wire.request('tasks/result', { taskId });
  subject.gates.open('a');
  expect((await waiting).result.content[0].text).toBe('through a');
  expect(wire.said.some(({ id }) => id === 7)).toBe(false);
  expect(subject.gates.aborted).toEqual([]);
});
