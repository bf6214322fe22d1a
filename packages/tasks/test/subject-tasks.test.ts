import { setTimeout as delay } from 'node:timers/promises';
import { createMcpServer } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { postgresTasks, subjectSource } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

const secrets = ['a-secret-of-the-server-that-is-long-enough'];
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

describeTasks('what the tables of tasks keep about a person', () => {
  describePostgres('in PostgreSQL', (postgres) => {
    test('is exported with what tasks say, and erased with their runs, and nothing of others', async () => {
      const schema = postgres.newSchema();
      const { url } = postgres.server;
      const start = async () => {
        const started = await createMcpServer({
          name: 'reports',
          version: '1.0.0',
          services: [],
          logger: silent,
          secrets,
          stores: { tasks: postgresTasks({ url, schema }) },
        });
        started.tools.add({
          name: 'report',
          description: 'Makes a report.',
          annotations: { readOnlyHint: true },
          task: 'required',
          handler: () => 'for your eyes only',
        });
        return started;
      };
      const server = await start();
      const begin = async (principal: object) => {
        const peer = { principal: { scopes: [], ...principal } as never, ip: undefined };
        const wire = new StatelessWire(server, { ...peer, transport: 'memory' }, CAPABILITIES);
        const { result } = await wire.call('report');
        return async () => (await wire.request('tasks/get', { taskId: result.taskId })).result;
      };
      const ann = { issuer: 'https://login.example.com', subject: 'ann' };
      const first = await begin(ann);
      const worker = await start();
      await serveTasks(worker, { signals: false });
      for (let status = 'working'; status === 'working'; await delay(10)) ({ status } = await first());
      await worker.close(0);
      await begin({ ...ann, clientId: 'phone', tenant: 'acme' });
      await begin({ ...ann, subject: 'ann"' });
      await begin({ ...ann, issuer: 'https://other.example.com' });
      await begin({ ...ann, subject: 'bob' });
      const place = {
        stores: [],
        secrets,
        database: url,
        taskSchema: schema,
        server: 'reports',
        proxy: undefined,
      };
      const opened = await subjectSource.open(place);
      try {
        const [kept] = opened.records;
        const { records } = await kept!.find(ann);
        expect(records).toMatchObject([
          {
            tool: 'report',
            status: 'completed',
            ending: { result: { content: [{ text: 'for your eyes only' }] } },
          },
          { tool: 'report', status: 'working' },
        ]);
        const unnamed = await subjectSource.open({ ...place, server: undefined });
        expect(JSON.stringify(await unnamed.records[0]!.find(ann))).not.toMatch(/your eyes|sealed/);
        await unnamed.close?.();
        expect((await kept!.find({ ...ann, subject: 'ann"' })).records).toHaveLength(1);
        expect(await kept!.erase(ann)).toBe(2);
        expect((await kept!.find(ann)).records).toEqual([]);
        const [left] = await postgres.sql(`SELECT count(*)::int AS tasks FROM "${schema}".tasks`);
        expect(left).toEqual({ tasks: 3 });
      } finally {
        await opened.close?.();
        await server.close(0);
      }
    });
  });
});
