import { createClient, createCluster } from 'redis';
import type { ServerEvent } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { AWAY, BACK } from './support/log-lines.js';
import type { RedisStoresOptions } from '@toolwright/redis';
import { openStores, type OpenStores } from './support/open-stores.js';
import { RedisCluster } from './support/redis-cluster.js';
import { describeWithRedis, RedisServer } from './support/redis-server.js';

const rule = { points: 5, perMs: 60_000 };

/** Uses the ports of two processes together. */
async function share(mine: OpenStores, theirs: OpenStores): Promise<void> {
  const decisions = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      (index % 2 ? mine : theirs).rateLimiter.consume('ann', 1, rule),
    ),
  );
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);

  const limits = ['a', 'b', 'c', 'd'].map((key) => ({ key, max: 1 }));
  const release = await mine.leases.acquire(limits);
  expect(await theirs.leases.acquire([limits[3]!])).toBeUndefined();
  await release!();
  expect(await theirs.leases.acquire(limits)).toBeDefined();

  for (const key of ['a', 'b', 'c', 'd']) {
    expect(await mine.claims.claim(key, 60_000)).toBe(true);
    expect(await theirs.claims.claim(key, 60_000)).toBe(false);
    for (const id of ['x_0', 'x_1']) await mine.events.append(key, 'x', { id, text: 'text' });
    expect(await theirs.events.after(key, 'x', 'x_0')).toHaveLength(1);
    await mine.events.drop(key);
    await mine.records.put('keys', key, key, { was: undefined });
    expect(await theirs.records.put('keys', key, key, { was: undefined })).toBe(false);
    await mine.cache.set(key, 1, 60_000);
    expect(await theirs.cache.get(key)).toBe(1);
    await mine.sessions.set(key, { subscriptions: [] }, 60_000);
    expect(await theirs.sessions.get(key)).toEqual({ subscriptions: [] });
  }
  expect(await theirs.records.list('keys')).toHaveLength(4);
  for (const key of ['a', 'b', 'c', 'd']) expect(await mine.records.delete('keys', key)).toBe(true);

  const heard = new Promise<ServerEvent>((resolve) => theirs.bus.subscribe(resolve));
  await mine.bus.publish({ type: 'toolsListChanged' });
  expect(await heard).toEqual({ type: 'toolsListChanged' });
}

describeWithRedis('the stores on a Redis Cluster', () => {
  let cluster: RedisCluster;
  let nodes: readonly RedisServer[];
  const open = closedAfterEach();

  const opened = async (options: RedisStoresOptions): Promise<OpenStores> => {
    const stores = await openStores(options);
    open.push(stores);
    return stores;
  };

  beforeAll(async () => {
    cluster = await RedisCluster.start('redis');
    nodes = cluster.nodes;
  });

  beforeEach(() => {
    for (const node of nodes) node.cli('FLUSHALL');
  });

  afterAll(() => cluster.stop());

  it('find its nodes from a few of them, and keep the keys of each script on one node', async () => {
    const nobody = `redis://127.0.0.1:${await freePort()}`;
    const mine = await opened({ cluster: [nodes[0]!.url] });
    const theirs = await opened({ cluster: [nobody, nodes[2]!.url] });
    expect(mine.health()).toMatchObject([{ up: true }]);
    await share(mine, theirs);
    expect(nodes.every((node) => node.cli('KEYS', '*') !== '')).toBe(true);
    expect([...mine.log.lines, ...theirs.log.lines]).toEqual([]);
  });

  it('serve on a cluster of the application, which stays open', async () => {
    const theApps = await createCluster({ rootNodes: [{ url: nodes[0]!.url }] }).connect();
    open.push(theApps);
    const mine = await opened({ client: theApps });
    await share(mine, await opened({ cluster: [nodes[0]!.url] }));
    await mine.close();
    expect(await theApps.get('nothing')).toBeNull();
  });

  it('are away, and say so, while the nodes refuse everything', async () => {
    const stores = await opened({ cluster: nodes.map(({ url }) => url) });
    const [without] = nodes as [RedisServer];
    const [first] = / (\d+)-\d+$/m
      .exec(
        without
          .cli('CLUSTER', 'NODES')
          .split('\n')
          .find((line) => line.includes('myself'))!,
      )!
      .slice(1) as [string];
    without.cli('CLUSTER', 'DELSLOTS', first);
    await stores.log.heard('The Redis Cluster is down');
    expect(stores.health()).toMatchObject([{ up: false }]);
    without.cli('CLUSTER', 'ADDSLOTS', first);
    await stores.log.heard(BACK);
    expect(await stores.claims.claim('later', 60_000)).toBe(true);
  });

  it('are away while no node answers, and find the cluster later', async () => {
    const stores = await opened({ cluster: nodes.map(({ url }) => url) });
    await Promise.all(nodes.map((node) => node.kill()));
    await stores.log.heard(AWAY);
    const late = await opened({ cluster: nodes.map(({ url }) => url) });
    expect(late.health()).toMatchObject([{ up: false }]);

    await Promise.all(nodes.map((node) => node.start()));
    await Promise.all([stores.log.heard(BACK), late.log.heard(BACK)]);
  });
});

describeWithRedis('the stores on a client of the application', () => {
  let server: RedisServer;

  beforeEach(async () => {
    server = await RedisServer.start();
  });

  afterEach(() => server.stop());

  it('share with others, and leave the client open', async () => {
    const client = await createClient({ url: server.url }).connect();
    const mine = await openStores({ client });
    const theirs = await openStores({ url: server.url });
    await share(mine, theirs);
    await mine.close();
    await theirs.close();
    expect(await client.ping()).toBe('PONG');
    await client.close();
  });

  it('fail at once while the client queues what the application sends', async () => {
    const client = createClient({ url: server.url });
    client.on('error', () => {});
    await client.connect();
    const stores = await openStores({ client });
    await server.kill();
    await stores.log.heard(AWAY);

    // Of the two connections, the one for commands may be lost with this command only.
    await expect(stores.claims.claim('lost', 60_000)).rejects.toThrow();
    await expect(stores.claims.claim('a', 60_000)).rejects.toThrow('Redis is away.');

    await server.start();
    await stores.log.heard(BACK);
    expect(await stores.claims.claim('a', 60_000)).toBe(true);
    await stores.close();
    client.destroy();
  });

  it('are away until the application has connected its client', async () => {
    const client = createClient({ url: server.url });
    const stores = await openStores({ client });
    expect(stores.health()).toMatchObject([{ up: false }]);
    await client.connect();
    await stores.log.heard(BACK);
    expect(await stores.claims.claim('a', 60_000)).toBe(true);
    await stores.close();
    await client.close();
  });
});
