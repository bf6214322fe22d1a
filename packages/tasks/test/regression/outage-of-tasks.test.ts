import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { describePostgres } from '../../../postgres/test/support/describe-postgres.js';
import { testPorts } from '../../../postgres/test/support/test-ports.js';
import { postgresTasks } from '../../src/index.js';
import { describeTasks } from '../support/describe-tasks.js';

const extensions = { 'io.modelcontextprotocol/tasks': {} };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions },
};

describeTasks('during an outage of PostgreSQL', () => {
  describePostgres('on Postgres', (postgres) => {
    it('tasks/get answers 503 with a time, and the task is there when Postgres is back', async () => {
      const { logger, logged } = testPorts();
      const server = await createMcpServer({
        secrets: ['s'.repeat(32)],
        stores: { tasks: postgresTasks({ url: postgres.server.url, checkInterval: 100 }) },
        name: 'reports',
        version: '1.0.0',
        services: [],
        logger,
        tasks: {
          concurrency: 0,
        },
      });
      server.tools.add({ name: 'work', description: 'Works.', task: 'optional', handler: () => 'done' });
      const http = await serveHttp(server, { port: 0, host: '127.0.0.1' });
      const ask = async (method: string, params: object, name: string) => {
        const response = await fetch(http.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            'mcp-name': name,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
        });
        return { response, body: (await response.json()) as any };
      };
      try {
        const { body } = await ask('tools/call', { name: 'work', arguments: {} }, 'work');
        const { taskId } = body.result;
        await postgres.server.halt();
        await logged('Postgres is away');
        const away = await ask('tasks/get', { taskId }, taskId);
        expect([away.response.status, away.response.headers.get('retry-after')]).toEqual([503, '5']);
        expect(away.body.error).toMatchObject({
          message: expect.stringContaining('is away right now'),
          data: { code: 'TW_TASKS_DOWN', retryAfterMs: 5_000 },
        });
        await postgres.server.launch();
        // The connection that listens says so, and the one that asks.
        await logged('Postgres answers again', 2);
        expect((await ask('tasks/get', { taskId }, taskId)).body.result.status).toBe('working');
      } finally {
        await http.close();
        await server.close();
      }
    });
  });
});
