import { settled } from '../../../../core/test/support/fake-clock.js';
import { SlotPool, type Release } from './slot-pool.js';

const unlimited = { perKey: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY, queue: 1_000 };

describe('a pool of slots', () => {
  it('gives out a free slot at once, without a promise', () => {
    const pool = new SlotPool({ ...unlimited, perKey: 1 });
    const release = pool.acquire({ key: 'ann' }) as Release;
    expect(release).toBeInstanceOf(Function);
    expect(pool.load).toEqual({ running: 1, waiting: 0 });
    release();
    release();
    expect(pool.load).toEqual({ running: 0, waiting: 0 });
  });

  it('never exceeds the limits for a key and for all', async () => {
    const pool = new SlotPool({ perKey: 3, total: 5, queue: 1_000 });
    const running = new Map<string, number>();
    let most = 0;
    let done = 0;
    const work = async (key: string) => {
      const release = (await pool.acquire({ key }))!;
      running.set(key, (running.get(key) ?? 0) + 1);
      most = Math.max(
        most,
        [...running.values()].reduce((sum, count) => sum + count),
      );
      expect(running.get(key)).toBeLessThanOrEqual(3);
      await settled();
      running.set(key, running.get(key)! - 1);
      done++;
      release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => work(`key ${index % 4}`)));
    expect({ most, done, load: pool.load }).toEqual({ most: 5, done: 60, load: { running: 0, waiting: 0 } });
  });

  it('serves keys in turn, however long the queue of one key is', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1 });
    const order: string[] = [];
    const work = async (key: string) => {
      const release = (await pool.acquire({ key }))!;
      order.push(key);
      await Promise.resolve();
      release();
    };
    const flood = Array.from({ length: 50 }, () => work('flood'));
    const others = Array.from({ length: 9 }, (_, index) => work(`${index}`));
    await Promise.all([...flood, ...others]);
    expect(order.slice(0, 11).filter((key) => key !== 'flood')).toHaveLength(9);
    expect(order).toHaveLength(59);
  });

  const ofTenant = (tenant: string, subject: string) => JSON.stringify(['tenant', tenant, '', subject]);

  it('looks at no caller of a tenant at its limit when a slot of another tenant becomes free', () => {
    let looks = 0;
    const limits = {
      ...unlimited,
      perTenant: 1,
      get perKey() {
        looks += 1;
        return Number.POSITIVE_INFINITY;
      },
    };
    const pool = new SlotPool(limits);
    for (let caller = 0; caller < 200; caller += 1)
      void pool.acquire({ key: ofTenant('noisy', `caller ${caller}`) });
    const release = pool.acquire({ key: ofTenant('quiet', 'ann') }) as Release;
    expect(pool.load).toEqual({ running: 2, waiting: 199 });
    looks = 0;
    release();
    expect(looks).toBe(0);
  });

  it('serves tenants in turn, however many callers one of them has', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1 });
    const order: string[] = [];
    const work = async (tenant: string, subject: string) => {
      const release = (await pool.acquire({ key: ofTenant(tenant, subject) }))!;
      order.push(tenant, subject);
      await Promise.resolve();
      release();
    };
    const flood = Array.from({ length: 50 }, (_, index) => work('flood', `user ${index % 10}`));
    const others = Array.from({ length: 9 }, (_, index) => work(`tenant ${index}`, 'ann'));
    await Promise.all([...flood, ...others]);
    const tenants = order.filter((_, index) => index % 2 === 0);
    expect(tenants.slice(0, 11).filter((tenant) => tenant !== 'flood')).toHaveLength(9);
    // The callers of one tenant take turns, too.
    const users = order.filter((_, index) => index % 2 === 1 && order[index - 1] === 'flood');
    expect(new Set(users.slice(0, 10)).size).toBe(10);
    expect(users).toHaveLength(50);
  });

  it('limits the calls of one tenant, whoever makes them, and no other', async () => {
    const pool = new SlotPool({ ...unlimited, perTenant: 2 });
    const running = ['ann', 'bob'].map(
      (subject) => pool.acquire({ key: ofTenant('acme', subject) }) as Release,
    );
    const third = pool.acquire({ key: ofTenant('acme', 'eve') });
    expect(third).toBeInstanceOf(Promise);
    expect(pool.acquire({ key: ofTenant('globex', 'eve') })).toBeInstanceOf(Function);
    running[0]!();
    (await third)!();
    running[1]!();
    // A caller without a tenant counts as one.
    const alone = ['["","ann"]', '["","ann"]'].map((key) => pool.acquire({ key }) as Release);
    expect(pool.acquire({ key: '["","ann"]' })).toBeInstanceOf(Promise);
    alone.forEach((release) => release());
  });

  it('makes room for a tenant at the cost of the one that waits most, whose callers wait once each', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1, queue: 4 });
    void pool.acquire({ key: ofTenant('running', 'ann') });
    const flood = [1, 2, 3, 4].map((index) => pool.acquire({ key: ofTenant('flood', `user ${index}`) }));
    const late = pool.acquire({ key: ofTenant('quiet', 'ann') });
    expect(late).toBeInstanceOf(Promise);
    expect(await flood[0]).toBeUndefined();
    expect(pool.load.waiting).toBe(4);
    // The tenant that waits most has nobody to push out but its own callers, and none of them waits twice.
    expect(pool.acquire({ key: ofTenant('flood', 'user 5') })).toBeUndefined();
  });

  it('an issuer that is called "tenant" is no tenant', () => {
    const pool = new SlotPool({ ...unlimited, perTenant: 1 });
    expect(pool.acquire({ key: '["tenant","ann"]' })).toBeInstanceOf(Function);
    expect(pool.acquire({ key: '["tenant","bob"]' })).toBeInstanceOf(Function);
  });

  it('a key that waits for itself does not delay another', async () => {
    const pool = new SlotPool({ ...unlimited, perKey: 1, total: 2 });
    const release = pool.acquire({ key: 'ann' }) as Release;
    const waiting = pool.acquire({ key: 'ann' });
    expect(pool.acquire({ key: 'bob' })).toBeInstanceOf(Function);
    release();
    expect(await waiting).toBeInstanceOf(Function);
  });

  it('refuses a call that exceeds the queue, or removes one from the longest queue', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1, queue: 2 });
    const running = pool.acquire({ key: 'ann' }) as Release;
    const first = pool.acquire({ key: 'flood' });
    const second = pool.acquire({ key: 'flood' });
    expect(pool.acquire({ key: 'flood' })).toBeUndefined();
    const late = pool.acquire({ key: 'bob' });
    expect(late).toBeInstanceOf(Promise);
    expect(await second).toBeUndefined();
    expect(pool.load.waiting).toBe(2);
    running();
    expect(await first).toBeInstanceOf(Function);
  });

  it('never refuses a principal because of anonymous callers, however many addresses wait', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1, queue: 3 });
    void pool.acquire({ key: '["","running"]' });
    const waiting = [1, 2, 3].map(async (host) => pool.acquire({ key: `ip 192.0.2.${host}` }));
    const principals = ['ann', 'bob', 'cid'].map((name) => pool.acquire({ key: `["","${name}"]` }));
    expect(principals.every((slot) => slot instanceof Promise)).toBe(true);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
    expect(pool.acquire({ key: 'ip 192.0.2.9' })).toBeUndefined();
    expect(pool.acquire({ key: 'anonymous' })).toBeUndefined();
    expect(pool.load.waiting).toBe(3);
  });

  it('forgets a caller that stops waiting', async () => {
    const pool = new SlotPool({ ...unlimited, total: 1 });
    const release = pool.acquire({ key: 'ann' }) as Release;
    const controller = new AbortController();
    const waiting = pool.acquire({ key: 'bob', signal: () => controller.signal });
    controller.abort();
    expect(await waiting).toBeUndefined();
    expect(pool.load).toEqual({ running: 1, waiting: 0 });
    release();
    expect(pool.load.running).toBe(0);
    expect(await pool.acquire({ key: 'bob', signal: () => controller.signal })).toBeInstanceOf(Function);
  });

  it('serves callers first that had a slot before, and never refuses them', async () => {
    const pool = new SlotPool({ ...unlimited, perKey: 1, queue: 1 });
    const release = pool.acquire({ key: 'ann' }) as Release;
    const order: string[] = [];
    const enter = async (name: string, resumed: boolean) => {
      const slot = await pool.acquire({ key: 'ann', resumed });
      order.push(name);
      slot?.();
    };
    const both = [enter('new', false), enter('resumed', true)];
    release();
    await Promise.all(both);
    expect(order).toEqual(['resumed', 'new']);
  });

  it('gives principals half of the slots and the first turn, once one of them has called', async () => {
    const pool = new SlotPool({ ...unlimited, total: 4 });
    const anonymous = ['a', 'b', 'c', 'd'].map((ip) => pool.acquire({ key: `ip ${ip}` }) as Release);
    const served: string[] = [];
    const wait = async (key: string) => {
      const release = (await pool.acquire({ key }))!;
      served.push(key);
      return release;
    };
    const waiting = wait('ip e');
    const ann = wait('["","ann"]');
    anonymous[0]!();
    const release = await ann;
    expect(served).toEqual(['["","ann"]']);
    anonymous[1]!();
    await settled();
    expect(pool.load).toEqual({ running: 3, waiting: 1 });
    expect(pool.acquire({ key: '["","bob"]' })).toBeInstanceOf(Function);
    anonymous[2]!();
    await waiting;
    expect(served).toEqual(['["","ann"]', 'ip e']);
    release();
  });
});
