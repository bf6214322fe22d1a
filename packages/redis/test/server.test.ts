import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { redisStores } from '@toolwright/redis';
import { AWAY, BACK, LogLines } from './support/log-lines.js';
import { describeWithRedis } from './support/redis-server.js';

const secrets = ['a secret that all processes of the test share'];

describeWithRedis('servers that share a Redis', (redis) => {
  const log = new LogLines();
  const servers: McpServer[] = [];

  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  async function start(): Promise<McpServer> {
    const server = await createMcpServer({
      name: 'pages',
      version: '1.0.0',
      services: [],
      logger: log,
      stores: redisStores({ url: redis.url, timeout: 5_000 }),
      secrets,
      rateLimit: { points: 7, per: '10m' },
    });
    for (const name of ['read', 'list']) server.tools.add({ name, description: name, handler: () => 'text' });
    servers.push(server);
    return server;
  }

  it('allow a caller so many calls together, and serve each on its own while Redis is away', async () => {
    const clients = await Promise.all([1, 2, 3].map(async () => connect(await start())));
    const allowed = async (tool: string) => {
      const calls = Array.from({ length: 30 }, async (_, index) => clients[index % 3]!.call(tool));
      const results = await Promise.allSettled(calls);
      return results.filter((each) => each.status === 'fulfilled' && !each.value.isError).length;
    };
    expect(await allowed('read')).toBe(7);

    await redis.kill();
    await log.heard(AWAY, 3);
    // What Redis has counted before stays counted.
    expect([await allowed('read'), await allowed('list')]).toEqual([0, 21]);

    await redis.start();
    await log.heard(BACK, 3);
    expect(await allowed('read')).toBe(7);
  });
});
