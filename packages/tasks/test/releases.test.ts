import { setTimeout as delay } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveTasks, type ToolDefinition } from '@toolwright/core/operate';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { testPorts } from '../../postgres/test/support/test-ports.js';
import { postgresTasks, type PostgresTasksOptions } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const secrets = ['a secret that all processes of the test share'];

const number = { type: 'object', properties: { page: { type: 'number' } } };
const text = { type: 'object', properties: { page: { type: 'string' } } };
const tool = (name: string, says: string, rest: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: name,
  task: 'optional',
  inputSchema: number,
  handler: () => says,
  ...rest,
});
const oldTools = [tool('kept', 'old'), tool('changed', 'old'), tool('reworded', 'old'), tool('gone', 'old')];
const newTools = [
  tool('kept', 'new'),
  tool('changed', 'new', { inputSchema: text }),
  tool('reworded', 'new', { description: 'Says it better.' }),
  tool('added', 'new'),
];

function describeReleases(where: () => Partial<PostgresTasksOptions>): void {
  const servers: McpServer[] = [];
  let schema = 0;
  beforeEach(() => void (schema += 1));
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close(1_000);
  });

  async function start(tools: readonly ToolDefinition[], { works = false, unservedMs = 600_000 } = {}) {
    const server = await createMcpServer({
      secrets,
      stores: { tasks: postgresTasks({ ...where(), schema: `release_${schema}` }) },
      name: 'reports',
      version: '1.0.0',
      services: [],
      logger: testPorts().logger,
      tasks: {
        unservedTimeout: unservedMs,
      },
    });
    for (const each of tools) server.tools.add(each);
    servers.push(server);
    if (works) await serveTasks(server, { signals: false });
    return server;
  }

  const client = (server: McpServer) => StatelessWire.of(server, 'ada', { extensions: { [EXTENSION]: {} } });
  async function begin(web: McpServer, name: string): Promise<string> {
    return (await client(web).call(name, {})).result.taskId as string;
  }
  const get = async (web: McpServer, taskId: string) =>
    (await client(web).request('tasks/get', { taskId })).result;
  async function ended(web: McpServer, taskId: string): Promise<any> {
    for (;;) {
      const task = await get(web, taskId);
      if (task.status !== 'working') return task;
      await delay(20);
    }
  }
  const textOf = async (web: McpServer, taskId: string) => {
    const { result, error } = await ended(web, taskId);
    return result?.content[0].text ?? error.message;
  };

  it('leave the tasks of each release to its own workers, and words do not count', async () => {
    const [oldWeb, newWeb] = [await start(oldTools), await start(newTools)];
    await start(oldTools, { works: true });
    await start(oldTools, { works: true });
    const ofNew = await Promise.all(Array.from({ length: 16 }, () => begin(newWeb, 'added')));
    const changed = await Promise.all(Array.from({ length: 16 }, () => begin(newWeb, 'changed')));
    const done = await Promise.all(Array.from({ length: 8 }, () => begin(newWeb, 'reworded')));
    // The old workers have done everything that they can do.
    for (const taskId of done) expect(await textOf(newWeb, taskId)).toBe('old');
    for (const taskId of [...ofNew, ...changed])
      expect(await get(newWeb, taskId)).toMatchObject({ status: 'working' });
    const ofOld = await begin(oldWeb, 'changed');
    expect(await textOf(oldWeb, ofOld)).toBe('old');
    await start(newTools, { works: true });
    for (const taskId of [...ofNew, ...changed]) expect(await textOf(newWeb, taskId)).toBe('new');
  });

  it('fail what no worker serves, after the time for it and with the reason', async () => {
    const web = await start(oldTools);
    const [gone, changed] = [await begin(web, 'gone'), await begin(web, 'changed')];
    await start(newTools, { works: true, unservedMs: 1_000 });
    const one = await ended(web, gone);
    expect([one.error.data.reason, one.error.message]).toEqual([
      'tool_gone',
      'No process that works on tasks has had the tool "gone" for 1 seconds, so this task was not carried out.',
    ]);
    const other = await ended(web, changed);
    expect(other.error.data.reason).toBe('contract_changed');
    expect(other.error.message).toContain(
      'no process that works on tasks has had the former one for 1 seconds',
    );
  });

  it('wait as long as some process serves the work, however busy it is', async () => {
    const web = await start(oldTools);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const busy = tool('gone', '', { handler: () => gate.then(() => 'late') });
    const server = await start([busy]);
    await serveTasks(server, { concurrency: 1, signals: false });
    const [first, second] = [await begin(web, 'gone'), await begin(web, 'gone')];
    const done = await start(newTools, { works: true, unservedMs: 3_000 });
    // Work of both kinds passes by, and the looks of the new worker at what nobody serves.
    const until = performance.now() + 8_000;
    while (performance.now() < until) {
      expect(await textOf(web, await begin(done, 'kept'))).toBe('new');
      await delay(100);
    }
    expect((await get(web, second)).status).toBe('working');
    release();
    for (const taskId of [first, second]) expect(await textOf(web, taskId)).toBe('late');
  });

  it('let a few tasks of one owner pass the many of another', async () => {
    const web = await start(oldTools);
    const bob = StatelessWire.of(web, 'bob', { extensions: { [EXTENSION]: {} } });
    const many = await Promise.all(Array.from({ length: 600 }, () => begin(web, 'kept')));
    const few: string[] = [];
    for (let index = 0; index < 5; index++) few.push((await bob.call('kept', {})).result.taskId);
    const order: string[] = [];
    const noting = tool('kept', '', {
      handler: (_args, { requestId }) => (order.push(String(requestId)), 'done'),
    });
    await serveTasks(await start([noting]), { concurrency: 2, signals: false });
    for (const taskId of many.slice(-1)) await ended(web, taskId);
    const places = few.map((taskId) => order.indexOf(taskId));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThan(20);
  });
}

describeTasks('releases that work on one queue', () => {
  // Releases share a server. PGlite belongs to one process.
  for (const name of sampleOf(['PGlite'], () => false))
    describe(`on ${name}`, () => {
      const pglite = new PGlite(preparedPglite());
      afterAll(() => pglite.close());
      describeReleases(() => ({ pglite }));
    });
  describePostgres('on Postgres', (postgres) => {
    describeReleases(() => ({ url: postgres.server.url }));
  });
});
