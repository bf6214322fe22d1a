import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock, type Clock } from '@toolwright/core/ports';
import { openStores, type OpenStores } from './support/open-stores.js';
import { describeWithRedis } from './support/redis-server.js';

const one = [{ key: 'a', max: 1 }];
const lease = 400;

describeWithRedis('leases in Redis', (server) => {
  const open: OpenStores[] = [];

  afterEach(async () => {
    for (const stores of open.splice(0)) await stores.close();
    server.cli('FLUSHALL');
  });

  const opened = async (clock?: Clock): Promise<OpenStores> => {
    const stores = await openStores({ url: server.url, lease }, clock);
    open.push(stores);
    return stores;
  };

  /** Asks until there is a lease. */
  async function acquired({ leases }: OpenStores) {
    for (;;) {
      const release = await leases.acquire(one);
      if (release) return release;
    }
  }

  /** A clock that says when timers of leases have run. */
  function countedRenewals() {
    let renewals = 0;
    let tell = () => {};
    const clock: Clock = {
      now: () => systemClock.now(),
      after: (delayMs, run) =>
        systemClock.after(delayMs, () => {
          run();
          if (delayMs > lease / 3) return;
          renewals++;
          tell();
        }),
    };
    const until = async (count: number) => {
      while (renewals < count) await new Promise<void>((resolve) => (tell = resolve));
    };
    return { clock, until };
  }

  it('of a killed process come back', async () => {
    const other = await opened();
    const holder = spawn(
      process.execPath,
      [join(__dirname, 'fixtures/hold-lease.cjs'), server.url, String(lease)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(holder.stdout, 'data');
    expect(await other.leases.acquire(one)).toBeUndefined();

    const exit = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exit;

    await acquired(other);
  });

  it('of a living process are renewed for as long as they are held', async () => {
    const { clock, until } = countedRenewals();
    const [holder, other] = [await opened(clock), await opened()];
    const release = await holder.leases.acquire(one);

    await until(6);
    expect(await other.leases.acquire(one)).toBeUndefined();

    await release!();
    expect(await other.leases.acquire(one)).toBeDefined();
  });

  it('are taken again when Redis has forgotten them', async () => {
    const { clock, until } = countedRenewals();
    const [holder, other] = [await opened(clock), await opened()];
    await holder.leases.acquire(one);
    server.cli('FLUSHALL');

    await until(2);
    // The answer comes after that of the renewal, on the same connection.
    await holder.claims.claim('after the renewal', 60_000);

    expect(await other.leases.acquire(one)).toBeUndefined();
  });

  it('are given back when the server ends', async () => {
    const [holder, other] = [await opened(), await opened()];
    await holder.leases.acquire([...one, { key: 'b', max: 1 }]);
    await holder.close();
    expect(await other.leases.acquire([...one, { key: 'b', max: 1 }])).toBeDefined();
  });

  it('are renewed in groups, however many there are', async () => {
    const { clock, until } = countedRenewals();
    const [holder, other] = [await opened(clock), await opened()];
    const limits = Array.from({ length: 250 }, (_, index) => [{ key: `${index}`, max: 1 }]);
    await Promise.all(limits.map(async (limit) => holder.leases.acquire(limit)));
    server.cli('FLUSHALL');

    await until(2);
    await holder.claims.claim('after the renewal', 60_000);

    const taken = await Promise.all(limits.map(async (limit) => other.leases.acquire(limit)));
    expect(taken.filter(Boolean)).toEqual([]);
  });

  it('leave nothing behind', async () => {
    const { leases } = await opened();
    const release = await leases.acquire(one);
    await release!();
    expect(server.keys()).toEqual([]);
  });
});
