import { setTimeout as delay } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveTasks, type ToolDefinition } from '@toolwright/core/operate';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { until } from '../../../.ci/test/support/until.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { testPorts } from '../../postgres/test/support/test-ports.js';
import { postgresTasks, TaskOperator } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const secrets = ['a secret that all processes of the test share'];

describeTasks('servers with a queue on Postgres', () => {
  const pglite = new PGlite(preparedPglite());
  const servers: McpServer[] = [];
  const effects: string[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    effects.length = 0;
  });
  afterAll(() => pglite.close());

  async function start(tools: readonly ToolDefinition[]): Promise<McpServer> {
    const server = await createMcpServer({
      stores: { tasks: postgresTasks({ pglite, timeout: 60_000 }) },
      name: 'reports',
      version: '1.0.0',
      services: [],
      logger: testPorts().logger,
      secrets,
    });
    for (const tool of tools) server.tools.add({ description: tool.name, task: 'optional', ...tool });
    servers.push(server);
    return server;
  }

  const client = (server: McpServer) =>
    StatelessWire.of(server, 'ada', { extensions: { [EXTENSION]: {} }, elicitation: {} });

  async function begin(web: McpServer, name: string): Promise<string> {
    const { result } = await client(web).call(name, {});
    return result.taskId as string;
  }

  async function read(web: McpServer, taskId: string, isThere: (task: any) => boolean): Promise<any> {
    for (;;) {
      const { result } = await client(web).request('tasks/get', { taskId });
      if (isThere(result)) return result;
      await delay(10);
    }
  }

  const greet: ToolDefinition = {
    name: 'greet',
    async handler(_args, context) {
      await context.once('step', () => void effects.push('step'));
      const { content } = await context.elicit<{ name: string }>('who', {
        message: 'Who?',
        schema: { type: 'object', properties: { name: { type: 'string' } } },
      });
      return `Hello ${content?.name}`;
    },
  };

  it('carry out in one process what another one has taken, with its questions', async () => {
    const web = await start([greet]);
    await serveTasks(await start([greet]), { signals: false });
    const taskId = await begin(web, 'greet');
    const { inputRequests } = await read(web, taskId, ({ status }) => status === 'input_required');
    expect(inputRequests.who.params.message).toBe('Who?');
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    await client(web).request('tasks/update', { taskId, inputResponses });
    const { result } = await read(web, taskId, ({ status }) => status === 'completed');
    expect(result.content[0].text).toBe('Hello Ada');
    expect(effects).toEqual(['step']);
  });

  it('do the work again that an operator begins again, behind the steps that were done', async () => {
    let isBroken = true;
    const flaky: ToolDefinition = {
      name: 'flaky',
      async handler(_args, context) {
        const { idempotencyKey } = await context.once('step', (step) => {
          effects.push(step.idempotencyKey);
          return step;
        });
        if (isBroken) throw new Error('broken');
        return idempotencyKey;
      },
    };
    const web = await start([flaky]);
    await serveTasks(await start([flaky]), { signals: false });
    const first = await begin(web, 'flaky');
    await read(web, first, ({ status }) => status !== 'working');
    isBroken = false;
    const operator = await TaskOperator.open({ pglite, by: 'olga' });
    try {
      const second = (await operator.retry(first))!;
      const { result } = await read(web, second, ({ status }) => status === 'completed');
      expect([result.content[0].text, effects]).toEqual([effects[0], [effects[0]]]);
      const third = (await operator.retry(second))!;
      await read(web, third, ({ status }) => status === 'completed');
      expect(await operator.actions()).toMatchObject([
        { by: 'olga', action: 'retry', taskId: second, newTaskId: third, tool: 'flaky' },
        { by: 'olga', action: 'retry', taskId: first, newTaskId: second, tool: 'flaky' },
      ]);
      expect(await operator.show(third)).toMatchObject({ tool: 'flaky', origin: first, status: 'completed' });
      expect((await operator.list({ tool: 'flaky', limit: 2 })).map(({ id }) => id)).toEqual([third, second]);
      expect(await operator.retry('nothing')).toBeUndefined();
    } finally {
      await operator.close();
    }
  });

  it('stop what an operator cancels', async () => {
    const endless: ToolDefinition = {
      name: 'endless',
      handler: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          effects.push('began');
          signal.addEventListener('abort', () => {
            effects.push('stopped');
            reject(new Error('stopped'));
          });
        }),
    };
    const web = await start([endless]);
    await serveTasks(await start([endless]), { signals: false });
    const taskId = await begin(web, 'endless');
    await until(() => effects.includes('began'));
    const operator = await TaskOperator.open({ pglite, by: 'olga' });
    try {
      expect(await operator.retry(taskId)).toBeUndefined();
      expect(await operator.cancel(taskId)).toBe(true);
      await until(() => effects.includes('stopped'));
      expect(await operator.cancel(taskId)).toBe(false);
      expect(await operator.actions(1)).toMatchObject([{ by: 'olga', action: 'cancel', taskId }]);
    } finally {
      await operator.close();
    }
    expect((await client(web).request('tasks/get', { taskId })).result.status).toBe('cancelled');
  });
});
