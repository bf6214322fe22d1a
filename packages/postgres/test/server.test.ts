import { createMcpServer, RateLimit, type McpServer } from '@toolwright/core';
import { connect, UnreliableLink } from '@toolwright/testing';
import { Pool } from 'pg';
import { postgresStores, type PostgresStoresOptions } from '../src/index.js';
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

  const links: UnreliableLink[] = [];
  afterAll(() => Promise.all(links.map((link) => link.close())));

  async function start(
    schema: string,
    { logger }: TestPorts,
    options: Partial<PostgresStoresOptions> = {},
    port = postgres.server.port,
  ): Promise<McpServer> {
    const pool = new Pool({ connectionString: `postgres://tester@127.0.0.1:${port}/postgres` });
    // A pool tells its owner of connections that break.
    pool.on('error', () => {});
    pools.push(pool);
    const server = await createMcpServer({
      name: 'pages',
      version: '1.0.0',
      services: [],
      logger,
      stores: postgresStores({ pool, schema, timeout: 60_000, ...options }),
      secrets,
    });
    server.tools.add({ name: 'read', description: 'Reads.', handler: () => 'text' });
    servers.push(server);
    return server;
  }

  const policies = [RateLimit.entry({ points: 20, per: '1m', cost: 1 })];
  const plan = { name: 'plan', description: 'A plan.', policies, handler: () => 'done' };

  /** How many of 60 calls at once the plan lets pass at these servers. */
  async function passed(replicas: readonly McpServer[]): Promise<number> {
    const clients = await Promise.all(replicas.map((each) => connect(each)));
    const calls = Array.from({ length: 60 }, (_, index) => clients[index % clients.length]!.call('plan', {}));
    return (await Promise.all(calls)).filter(({ isError }) => isError !== true).length;
  }

  it('count a limit exactly while PostgreSQL answers slowly, as long as they wait', async () => {
    const schema = postgres.newSchema();
    const link = await UnreliableLink.to(postgres.server.port);
    links.push(link);
    const ports = testPorts();
    const replicas = [1, 2].map(() => start(schema, ports, { patience: 60_000 }, link.port));
    const started = await Promise.all(replicas);
    for (const each of started) each.tools.add(plan);
    link.slow(60);
    expect(await passed(started)).toBe(20);
    expect(ports.lines.filter((line) => line.startsWith('error'))).toEqual([]);
    link.mend();
  });

  it('say that they count alone when they do not wait', async () => {
    const link = await UnreliableLink.to(postgres.server.port);
    links.push(link);
    const ports = testPorts();
    const server = await start(postgres.newSchema(), ports, { patience: 5 }, link.port);
    server.tools.add(plan);
    link.slow(2_000);
    expect(await passed([server])).toBe(20);
    await ports.logged('The store of the rate limiter does not answer; this process counts for itself');
    link.mend();
  });

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
