import { setTimeout as delay } from 'node:timers/promises';
import { createMcpServer } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { type DataOwner, silentLogger } from '@toolwright/core/ports';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { postgresTasks, subjectSource } from '../src/index.js';
import { describeTasks } from './support/describe-tasks.js';

const secrets = ['a-secret-of-the-server-that-is-long-enough'];
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

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
          logger: silentLogger,
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
        const find = async (owner: DataOwner, from = kept!) => {
          const found: (object | undefined)[] = [];
          for await (const record of from.find(owner)) found.push(record);
          return found;
        };
        const records = await find(ann);
        expect(records).toMatchObject([
          {
            tool: 'report',
            status: 'completed',
            ending: { result: { content: [{ text: 'for your eyes only' }] } },
          },
          { tool: 'report', status: 'working' },
        ]);
        const unnamed = await subjectSource.open({ ...place, server: undefined });
        expect(JSON.stringify(await find(ann, unnamed.records[0]))).not.toMatch(/your eyes|sealed/);
        await unnamed.close?.();
        expect(await find({ ...ann, subject: 'ann"' })).toHaveLength(1);
        expect(await kept!.erase(ann)).toBe(2);
        expect(await find(ann)).toEqual([]);
        const [left] = await postgres.sql(`SELECT count(*)::int AS tasks FROM "${schema}".tasks`);
        expect(left).toEqual({ tasks: 3 });
        // A client that is called as a tenant, and a tenant, of whom no other has a task.
        await begin({ ...ann, subject: 'carl', clientId: 'globex' });
        await begin({ issuer: 'https://other.example.com', subject: 'dora', tenant: 'globex' });
        for (let at = 0; at < 25; at++)
          await begin({ ...ann, subject: `eve-${at}`, clientId: 'c', tenant: 'globex' });
        const ofGlobex = await find({ tenant: 'globex' });
        expect(ofGlobex).toHaveLength(26);
        expect(await find({ tenant: 'acme' })).toEqual([]);
        expect(await kept!.erase({ tenant: 'globex' })).toBe(26);
        expect(await find({ tenant: 'globex' })).toEqual([]);
        expect(await find({ ...ann, subject: 'carl' })).toHaveLength(1);
      } finally {
        await opened.close?.();
        await server.close(0);
      }
    });
  });
});
