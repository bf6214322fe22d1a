import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type McpClient } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { MemoryEventBus, systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

const TASKS = 'io.modelcontextprotocol/tasks';

/** A server of 2025-11-25 that makes tasks, and that says whose values it has. */
const source = `
const { ORG = 'nobody' } = process.env;
const task = { taskId: 't', status: 'completed', createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttl: null };
const result = { content: [{ type: 'text', text: 'bread of ' + ORG }] };
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', serverInfo: { name: 'baker', version: '1' },
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } } }),
  'tools/list': () => ({ tools: ['bake', ...(ORG === 'red' ? ['bake_red'] : [])].map((name) => ({ name,
    description: 'Bakes for ' + ORG + '.', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } })) }),
  'tools/call': (params) => (params.task ? { task: { ...task, status: 'working' } } : result),
  'tasks/get': () => task,
  'tasks/result': () => result,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
});
`;
const file = join(temporaryFolder(), 'baker.cjs');
writeFileSync(file, source);

const person = (subject: string, tenant: string, claims?: Record<string, unknown>): Principal => ({
  issuer: 'https://issuer.test',
  subject,
  tenant,
  scopes: [],
  ...(claims && { claims }),
});

/** Two processes of one server: one serves clients, and the other one works on the queue. */
async function fleet(options: Partial<MountOptions>, more: object = {}) {
  const queue = new MemoryTaskQueue(systemClock);
  const bus = new MemoryEventBus();
  const start = async () => {
    const server = await createGateway({
      secrets: ['q'.repeat(32)],
      stores: [{ tasks: queue.peer() }, { bus }],
      ...more,
    } as never);
    open.push(server);
    await mountServer(server, 'baker', {
      command: process.execPath,
      args: [file],
      ...options,
    } as MountOptions);
    return server;
  };
  const web = await start();
  await serveTasks(await start(), { concurrency: 5, signals: false });
  return web;
}

/** A caller's task that the other process has worked on: how each revision begins, asks and reads it. */
const ways = {
  async '2026-07-28'(client: McpClient, name: string) {
    const begun = await client.request('tools/call', { name, arguments: {} });
    expect(begun).toMatchObject({ resultType: 'task' });
    const get = () => client.request('tasks/get', { taskId: begun['taskId'] });
    await until(async () => (await get())['status'] !== 'working');
    return get();
  },
  async '2025-11-25'(client: McpClient, name: string) {
    const { task } = (await client.request('tools/call', { name, arguments: {}, task: {} })) as never as {
      task: { taskId: string };
    };
    const { taskId } = task;
    await until(async () => (await client.request('tasks/get', { taskId }))['status'] !== 'working');
    const { status } = await client.request('tasks/get', { taskId });
    return { status, result: await client.request('tasks/result', { taskId }) };
  },
};
type Revision = keyof typeof ways;

async function endOf(
  web: McpServer,
  principal: Principal,
  { name = 'bake', revision = '2026-07-28' as Revision } = {},
): Promise<Record<string, unknown>> {
  const client = await connect(web, {
    ...{ principal, revision },
    capabilities: { extensions: { [TASKS]: {} } },
  } as never);
  open.push(client);
  return ways[revision](client, name);
}

const env: MountOptions['env'] = (principal) => ({ ORG: principal?.tenant ?? 'nobody' });

describe.each(['2026-07-28', '2025-11-25'] as const)('for a client of %s', (revision) => {
  test('a task that another process works on has the values of its caller', async () => {
    const web = await fleet({ env });
    for (const tenant of ['red', 'blue'])
      expect(await endOf(web, person('ann', tenant), { revision })).toMatchObject({
        status: 'completed',
        result: { content: [{ text: `bread of ${tenant}` }] },
      });
  });

  test('a task does not wait where the other process does not know yet that its caller has the tool', async () => {
    const web = await fleet({ env });
    expect(await endOf(web, person('ann', 'red'), { name: 'bake_red', revision })).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'bread of red' }] },
    });
  });
});

/** A caller whose values come from a claim. */
const byClaim: MountOptions['env'] = (principal) => ({
  ORG: String(principal?.claims?.['org'] ?? 'everybody'),
});
const ann = person('ann', 'red', { org: 'acme', team: 'sales' });

test('values that come from a claim are those of the caller where the task keeps the claim', async () => {
  const web = await fleet({ env: byClaim }, { tasks: { claims: ['org'] } });
  const text = 'bread of acme';
  expect(await endOf(web, ann)).toMatchObject({ status: 'completed', result: { content: [{ text }] } });
});

test('a claim that the task has not kept is no missing claim: the task fails, and the log says what to do', async () => {
  const lines: string[] = [];
  const keep = (...all: { err?: Error }[]) => {
    for (let { err } = all[0]!; err; err = err.cause as Error | undefined) lines.push(err.message);
  };
  const web = await fleet({ env: byClaim }, { logger: { debug() {}, info() {}, warn: keep, error: keep } });
  const { status, result, error } = await endOf(web, ann);
  expect(JSON.stringify([status, result, error])).not.toContain('bread of everybody');
  expect(lines.join('\n')).toContain('The claim "org" of the caller was not kept');
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('cannot be reached for this caller') }],
  });
});
