import { LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import {
  EXTENSION,
  addTask,
  begin,
  begun,
  capabilities,
  codeOf,
  ended,
  get,
  request,
  subject,
  until,
  useTaskService,
} from './support/task-service.js';
import { call, modern, send } from './support/wire.js';

// What a task is, is tested in core, without HTTP. These tests are about statuses, headers and sockets.
useTaskService();

test('a call is answered with a task, which other requests follow to its result', async () => {
  const { json } = await begin('work', { gate: 'a' });
  const { taskId } = json.result;
  const times = { createdAt: '2026-07-28T00:00:00.000Z', lastUpdatedAt: '2026-07-28T00:00:00.000Z' };
  const task = { taskId, status: 'working', ...times, ttlMs: 3_600_000, pollIntervalMs: 1_000 };
  expect(json.result).toEqual({ resultType: 'task', ...task, _meta: expect.anything() });
  expect(taskId).toMatch(/^[\w-]{32}$/);
  expect(await get(taskId)).toEqual({ resultType: 'complete', ...task, _meta: expect.anything() });
  subject.fixture.gates.open('a');
  const { result } = await ended(taskId);
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'through a' }] });
});

test('if a task is required, other clients are refused with status 400, in both eras', async () => {
  addTask('must', () => () => 'done', { task: 'required' });
  const { status, json } = await send(subject.service.url, call('must'));
  const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };
  expect({ status, error: json.error }).toMatchObject({ status: 400, error: { code: -32021, data } });
  for (const [revision, heard] of [
    ['2025-06-18', { code: -32600, data }],
    ['2025-11-25', { code: -32601 }],
  ] as const) {
    const legacy = await LegacyClient.connect(subject.service.url, revision);
    const { json: refused } = await legacy.request('tools/call', { name: 'must', arguments: {} });
    expect(refused.error).toMatchObject(heard);
  }
});

test.each(['get', 'update', 'cancel'])('tasks/%s without the extension has status 400', async (method) => {
  const taskId = await begun('work', { gate: 'a' });
  const wire = modern(`tasks/${method}`, { params: { taskId, inputResponses: {} } });
  const { status, json } = await send(subject.service.url, wire);
  expect({ status, code: json.error.code }).toEqual({ status: 400, code: -32021 });
});

test.each(['get', 'update', 'cancel'])('the header names the task of tasks/%s', async (method) => {
  const taskId = await begun('work', { gate: 'a' });
  for (const name of ['other', undefined]) {
    const parts = { capabilities, params: { taskId }, headers: { 'mcp-name': name } };
    expect(await codeOf(modern(`tasks/${method}`, parts))).toBe(-32020);
  }
});

test('a task of another caller seems not to exist, down to the status', async () => {
  const taskId = await begun('work', { gate: 'a' });
  const foreign = await send(subject.service.url, request('get', taskId, {}, { 'x-user': 'eve' }));
  const unknown = await send(subject.service.url, request('get', 'x'.repeat(32)));
  expect(foreign.json.error.code).toBe(-32602);
  expect([foreign.status, foreign.json.error]).toEqual([unknown.status, unknown.json.error]);
});

test('a client that closes its connection cancels nothing', async () => {
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
