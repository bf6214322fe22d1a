import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { Pool } from 'pg';
import { postgresStores } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts, type TestPorts } from './support/test-ports.js';

const secrets = ['a secret that all processes of the test share'];

describePostgres('servers that share a database', (postgres) => {
  const pools: Pool[] = [];
  const servers: McpServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    // The stores leave the pool of the application open, so it can still be asked, and be ended.
    for (const pool of pools.splice(0)) {
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await pool.end();
    }
  });

  async function start(schema: string, { logger }: TestPorts): Promise<McpServer> {
    const pool = new Pool({ connectionString: postgres.server.url });
    // A pool tells its owner of connections that break.
    pool.on('error', () => {});
    pools.push(pool);
    const server = await createMcpServer({
      name: 'pages',
      version: '1.0.0',
      services: [],
      logger,
      stores: postgresStores({ pool, schema, timeout: 60_000 }),
      secrets,
    });
    server.tools.add({ name: 'read', description: 'Reads.', handler: () => 'text' });
    servers.push(server);
    return server;
  }

  it('tell their clients what has changed on another one, also what they missed while Postgres was away', async () => {
    const schema = postgres.newSchema();
    const ports = testPorts();
    const [one, two] = [await start(schema, testPorts()), await start(schema, ports)];
    const changes = await (await connect(two)).listen({ tools: true });
    const heard = changes[Symbol.asyncIterator]();
    const next = async () => (await heard.next()).value as unknown;

    one.tools.add({ name: 'write', description: 'Writes.', handler: () => 'text' });
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });

    await postgres.server.halt();
    await ports.logged('Postgres is away');
    one.tools.add({ name: 'delete', description: 'Deletes.', handler: () => 'text' });
    await postgres.server.launch();
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await changes.close();
  });
});
