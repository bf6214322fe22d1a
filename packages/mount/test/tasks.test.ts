import { connect } from '@toolwright/client';
import { ProtocolError } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { mounted as mountedRaw } from './support/malicious-mount.js';
import { textResult, tool, type Trick } from './support/malicious-upstream.js';
import { olderFrontOf } from './support/older-front.js';
import { createGateway, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

const TASKS = 'io.modelcontextprotocol/tasks';

/** @param isOlder whether the server behind speaks 2025-11-25 alone */
async function mounted({ isOlder = false } = {}) {
  const upstream = await createGateway({ name: 'upstream', tasks: { pollInterval: '50ms' } });
  const aborted: string[] = [];
  upstream.tools.add([
    {
      name: 'bake',
      description: 'Takes its time.',
      task: 'optional',
      handler: async (_args, { signal }) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return signal.aborted ? 'burnt' : 'bread';
      },
    },
    {
      name: 'bake_for',
      description: 'Asks who it is for.',
      task: 'required',
      async handler(_args, ctx) {
        const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
        const { content } = await ctx.elicit('name', { message: 'Who is it for?', schema });
        return `bread for ${String(content?.['name'])}`;
      },
    },
    {
      name: 'ask_twice',
      description: 'Asks two things.',
      async handler(_args, ctx) {
        const schema = { type: 'object', properties: { name: { type: 'string' } } };
        const asked = ['first', 'second'].map((key) => ctx.elicit(key, { message: `${key}?`, schema }));
        return `${(await Promise.all(asked)).length} answers`;
      },
    },
    {
      name: 'burn',
      description: 'Fails.',
      task: 'required',
      handler: () => Promise.reject(new ProtocolError(-32603, 'It has burnt.')),
    },
    {
      name: 'rise',
      description: 'Never ends.',
      task: 'required',
      handler: (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(aborted.push('rise')))),
    },
  ]);
  const { url, served } = await serveUpstream(upstream);
  const front = isOlder ? await olderFrontOf(url) : undefined;
  const gateway = await createGateway();
  open.push(served, ...(front ? [front] : []), gateway);
  const mount = await mountServer(gateway, 'up', { url: front?.url ?? url });
  return { gateway, mount, aborted };
}

const elicit = () => ({ action: 'accept' as const, content: { name: 'Ann' } });

describe.each([
  ['2026-07-28', false],
  ['2025-11-25', true],
] as const)('behind, a server of %s', (_revision, isOlder) => {
  test('a client that knows no tasks waits for the result of a task behind', async () => {
    const { gateway } = await mounted({ isOlder });
    const client = await connect(gateway, { elicit });
    open.push(client);
    expect(await client.callText('bake')).toBe('bread');
    expect(await client.callText('bake_for')).toBe('bread for Ann');
  });

  test('a client that follows tasks gets a task of ours, with its questions and its result', async () => {
    const { gateway } = await mounted({ isOlder });
    const client = await connect(gateway, { capabilities: { elicitation: {}, extensions: { [TASKS]: {} } } });
    open.push(client);
    const task = await client.request('tools/call', { name: 'bake_for', arguments: {} });
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    const get = () => client.request('tasks/get', { taskId: task['taskId'] });
    let now = await get();
    await until(async () => (now = await get())['status'] !== 'working');
    expect(now).toMatchObject({ status: 'input_required' });
    const [key] = Object.keys(now['inputRequests'] as object);
    const inputResponses = { [key!]: { action: 'accept', content: { name: 'Bob' } } };
    await client.request('tasks/update', { taskId: task['taskId'], inputResponses });
    await until(async () => (now = await get())['status'] === 'completed');
    expect(now).toMatchObject({ result: { content: [{ text: 'bread for Bob' }] } });
  });

  test('a task that is cancelled is cancelled behind, too', async () => {
    const { gateway, aborted } = await mounted({ isOlder });
    const client = await connect(gateway, { capabilities: { extensions: { [TASKS]: {} } } });
    open.push(client);
    const { taskId } = await client.request('tools/call', { name: 'rise', arguments: {} });
    await client.request('tasks/cancel', { taskId });
    await until(() => aborted.length > 0);
    expect(aborted).toEqual(['rise']);
  });

  test('each question of one moment is in the same round', async () => {
    const { gateway, mount } = await mounted({ isOlder });
    const client = await connect(gateway, { elicit });
    open.push(client);
    const isResumed: boolean[] = [];
    gateway.use((call, next) => {
      isResumed.push(call.request.input.resumed);
      return next();
    });
    expect(await client.callText('ask_twice')).toBe('2 answers');
    expect(isResumed).toEqual([false, true]);
    expect(mount.status().era).toBe(isOlder ? 'stateful' : 'stateless');
  });
});

test('a task that fails behind fails with the same words, and is not called lost', async () => {
  const { gateway } = await mounted();
  const client = await connect(gateway, { capabilities: { extensions: { [TASKS]: {} } } });
  open.push(client);
  const { taskId } = await client.request('tools/call', { name: 'burn', arguments: {} });
  let now: Record<string, unknown> = {};
  await until(async () => (now = await client.request('tasks/get', { taskId }))['status'] !== 'working');
  expect(now).toMatchObject({ status: 'failed', error: { code: -32603, message: 'It has burnt.' } });

  const patient = await connect(gateway, {});
  open.push(patient);
  await expect(patient.call('burn')).rejects.toThrow('It has burnt.');
});

describe('a server of 2025-11-25 that offers a task', () => {
  const task = { taskId: 't', status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: null };
  const offer = () =>
    mountedRaw([tool('bake', { execution: { taskSupport: 'optional' } })], {
      calls: {
        bake: ({ message, result }: Trick) =>
          result(message.params['task'] ? { task: { ...task, pollInterval: 100 } } : textResult('at once')),
      },
      methods: {
        initialize: ({ result }) =>
          result({
            protocolVersion: '2025-11-25',
            serverInfo: { name: 'baker', version: '1' },
            capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
          }),
        'tasks/get': ({ result }) => result({ ...task, status: 'completed' }),
        'tasks/result': ({ result }) => result(textResult('bread')),
      },
    });

  test('makes one for a client that can follow it', async () => {
    const { gateway } = await offer();
    const client = await connect(gateway, { capabilities: { extensions: { [TASKS]: {} } } });
    open.push(client);
    const { taskId } = await client.request('tools/call', { name: 'bake', arguments: {} });
    let now: Record<string, unknown> = {};
    await until(async () => (now = await client.request('tasks/get', { taskId }))['status'] === 'completed');
    expect(now).toMatchObject({ result: { content: [{ text: 'bread' }] } });
  });

  test('answers any other client at once', async () => {
    const { gateway } = await offer();
    const client = await connect(gateway, {});
    open.push(client);
    expect(await client.callText('bake')).toBe('at once');
  });
});
