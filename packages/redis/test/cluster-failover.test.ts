import { setTimeout as delay } from 'node:timers/promises';
import type { ServerEvent } from '@toolwright/core/ports';
import { openStores, type OpenStores } from './support/open-stores.js';
import { RedisCluster } from './support/redis-cluster.js';
import { describeWithEach } from './support/redis-server.js';

const rule = { points: 5, perMs: 600_000 };
const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
const names = ['claims', 'events', 'records', 'sessions'] as const;

/** Keeps something for each key, on all nodes. */
async function fill(stores: OpenStores): Promise<void> {
  await stores.rateLimiter.consume('ann', 2, rule);
  for (const key of keys) {
    await stores.claims.claim(key, 600_000);
    await stores.sessions.set(key, { subscriptions: [key] }, 600_000);
    await stores.records.put(key, key, 'text', { was: undefined });
    for (const id of ['x_0', 'x_1']) await stores.events.append(key, 'x', { id, text: 'text' });
  }
}

/** How many keys still have what they had. An answer of the cluster that refuses is an error. */
async function kept(stores: OpenStores) {
  const counts = { claims: 0, sessions: 0, records: 0, events: 0 };
  for (const key of keys) {
    if (await stores.claims.has!(key)) counts.claims++;
    if ((await stores.sessions.get(key))?.subscriptions.length === 1) counts.sessions++;
    if ((await stores.records.get(key, key)) === 'text') counts.records++;
    if ((await stores.events.after(key, 'x', 'x_0'))?.length === 1) counts.events++;
  }
  return counts;
}

/** Asks again until every node that it needs answers. */
async function afterwards<T>(ask: () => Promise<T> | T): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await delay(50);
    }
  }
}

/** Publishes until the other process has heard of it: the bus promises no more while Redis is away. */
async function hears(mine: OpenStores, theirs: OpenStores): Promise<void> {
  let heard: ServerEvent | undefined;
  const stop = theirs.bus.subscribe((event) => {
    if (event.type === 'resourceUpdated') heard = event;
  });
  while (!heard) {
    await mine.bus.publish({ type: 'resourceUpdated', uri: 'a://b' });
    await delay(50);
  }
  stop();
}

describeWithEach('a cluster with replicas', (kind) => {
  let cluster: RedisCluster;
  let mine: OpenStores;
  let theirs: OpenStores;

  const start = async (failsAfter?: number) => {
    cluster = await RedisCluster.start(kind, 1, failsAfter);
    [mine, theirs] = await Promise.all([
      openStores({ cluster: cluster.urls }),
      openStores({ cluster: cluster.urls }),
    ]);
    await fill(mine);
    // Replication is asynchronous, so each master is asked whether its replica has it all.
    for (const node of cluster.nodes)
      if (node.cli('ROLE').startsWith('master')) node.cli('WAIT', '1', '5000');
  };

  afterEach(async () => {
    await mine.close();
    await theirs.close();
    await cluster.stop();
  });

  it('goes on with what its replicas have when a master is killed, and the limit stays exact', async () => {
    await start(1_000);
    await cluster.masterOf('toolwright:health').kill();
    const all = Object.fromEntries(names.map((name) => [name, keys.length]));
    expect(await afterwards(() => kept(mine))).toEqual(all);
    expect(await afterwards(() => kept(theirs))).toEqual(all);
    const decisions = [];
    for (const stores of [mine, theirs, mine, theirs])
      decisions.push(await afterwards(() => stores.rateLimiter.consume('ann', 1, rule)));
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    const release = await afterwards(() => mine.leases.acquire([{ key: 'a', max: 1 }]));
    expect(await theirs.leases.acquire([{ key: 'a', max: 1 }])).toBeUndefined();
    await release!();
    await hears(mine, theirs);
    await hears(theirs, mine);
    expect([...mine.health(), ...theirs.health()]).toMatchObject([{ up: true }, { up: true }]);
  }, 60_000);

  it('changes its master on request without an error that a caller sees', async () => {
    await start();
    const old = cluster.masterOf('toolwright:health');
    const next = cluster.nodes.find((node) => node.cli('ROLE').includes(String(old.port)) && node !== old)!;
    for (let round = 0; round < 20 || !next.cli('ROLE').startsWith('master'); round++) {
      // On a busy machine, the nodes may give up and must be asked again.
      if (round % 20 === 0) next.cli('CLUSTER', 'FAILOVER');
      expect(await kept(mine)).toEqual(Object.fromEntries(names.map((name) => [name, keys.length])));
    }
    await hears(mine, theirs);
    expect([...mine.log.lines, ...theirs.log.lines]).toEqual([]);
  }, 60_000);
});
