import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer } from '@toolwright/core';
import { serveTasks, type ToolDefinition } from '@toolwright/core/operate';
import { until } from '../../../.ci/test/support/until.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { postgresTasks } from '../../tasks/src/index.js';
import { describeTasks } from '../../tasks/test/support/describe-tasks.js';
import { TestQueue, type TestDatabase } from '../../tasks/test/support/test-queue.js';
import { CONFIRMED, secret } from './support/shop.js';

// Programs as durable tasks, with the queue and the database that applications use.

describeTasks('programs on the queue', () =>
  describePostgres('in a real PostgreSQL', (postgres) => {
    const servers = closedAfterEach<McpServer>((server) => server.close(0));
    const done: string[] = [];
    let isHanging = false;
    let queue: TestQueue;
    beforeEach(() => {
      const database: TestDatabase = { options: { url: postgres.server.url }, sql: postgres.sql };
      queue = new TestQueue(database);
      done.length = 0;
      isHanging = false;
    });

    const tool = (name: string, annotations: ToolDefinition['annotations'] = {}): ToolDefinition => ({
      name,
      description: name,
      annotations,
      async handler(_args, { signal }) {
        done.push(name);
        if (isHanging) await new Promise((_, reject) => signal.addEventListener('abort', reject));
        return `${name} ${done.length}`;
      },
    });
    const tools: ToolDefinition[] = [
      tool('write'),
      tool('look', { readOnlyHint: true }),
      { name: 'note', description: 'Note.', handler: () => `noted ${done.push('note')}` },
      {
        name: 'ask',
        description: 'Ask.',
        async handler(_args, ctx) {
          const schema = { type: 'object', properties: { confirm: { type: 'boolean' } } };
          return (await ctx.elicit('sure', { message: 'Sure?', schema } as never)).action;
        },
      },
    ];

    /** One process; the first serves clients, and the others work. */
    async function start(isWorker: boolean): Promise<McpServer> {
      const server = await boot({
        codeMode: true,
        secrets: [secret],
        stores: {
          tasks: postgresTasks({ ...queue.database.options, schema: queue.schema, timeout: 60_000 }),
        },
      });
      servers.push(server);
      server.tools.add(tools);
      if (isWorker) await serveTasks(server, { concurrency: 5, signals: false });
      return server;
    }

    async function begin(code: string) {
      const web = await start(false);
      await start(true);
      const wire = StatelessWire.of(web, 'ann', {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      });
      const taskId = (await wire.call('run_code', { code })).result.taskId as string;
      const read = async (isThere: (task: any) => boolean) => {
        for (; ; await delay(20)) {
          const { result } = await wire.request('tasks/get', { taskId });
          if (isThere(result)) return result;
        }
      };
      return { wire, taskId, read };
    }

    it('go on in another process when theirs is lost: what is recorded is not made again', async () => {
      isHanging = true;
      const { taskId, read } = await begin(
        `const a = [await tools.note(), Math.random(), Date.now()]; const b = await tools.look(); return [a, b]`,
      );
      await until(() => done.includes('look'));
      isHanging = false;
      await start(true);
      await queue.loseRun(taskId);
      const { result } = await read(({ status }) => status === 'completed');
      expect(result.structuredContent.result).toEqual([
        ['noted 1', expect.any(Number), expect.any(Number)],
        'look 3',
      ]);
      expect(done).toEqual(['note', 'look', 'look']);
    });

    it('ask in the middle, and go on with the answer', async () => {
      const { wire, taskId, read } = await begin(
        `const a = await tools.note(); const b = await tools.ask(); return [a, b, await tools.note()]`,
      );
      const { inputRequests } = await read(({ status }) => status === 'input_required');
      const [key] = Object.keys(inputRequests);
      expect(key).toBe('call.2/sure');
      await wire.request('tasks/update', { taskId, inputResponses: { [key!]: CONFIRMED } });
      const { result } = await read(({ status }) => status === 'completed');
      expect(result.structuredContent.result).toEqual(['noted 1', 'accept', 'noted 2']);
    });
  }),
);
