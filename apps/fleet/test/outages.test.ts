import { randomUUID } from 'node:crypto';
import { compareAudit } from '@toolwright/postgres';
import { until } from '../../../.ci/test/support/until.js';
import { Traffic } from '../src/load/traffic.js';
import { callTool, openSession, type Answer } from '../src/load/wire.js';
import { connectV1 } from './support/clients.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('A fleet whose stores go away', {}, (test) => {
  const call = (name: string, args: object, user?: string, url = test.fleet.url) =>
    callTool(url, name, { ...args }, { user });
  const isServed = ({ message }: Answer) => message?.result !== undefined && !message.result.isError;
  const shows = async (url: string, away: string[]) => {
    const ready = (await (await fetch(url.replace('/mcp', '/readyz'))).json()) as { away?: string[] };
    // While there is traffic, the limits count locally.
    const stores = (ready.away ?? []).filter((store) => store !== 'shared limits');
    return JSON.stringify(stores) === JSON.stringify(away);
  };
  /** Resolves when all replicas say which stores are away. */
  const allShow = async (away: string[]) => {
    for (const { url } of test.fleet.replicas) await until(() => shows(url, away));
  };
  const sharedLimit = async () => {
    const user = randomUUID();
    const answers = await Promise.all(Array.from({ length: 63 }, () => call('rarely', {}, user)));
    return answers.filter(isServed).length;
  };

  it.each([
    ['is restarted', 'kill', 'launch'],
    ['goes silent', 'pause', 'resume'],
  ] as const)(
    'Calls go on while Redis %s, and what it shares is back afterwards',
    async (_how, goes, comes) => {
      const { redis, url } = test.fleet;
      const user = randomUUID();
      const session = await openSession(url, user);
      const traffic = Traffic.start(url, { lanes: 4, sessions: [{ user, session }] });
      await traffic.served(50);
      await redis[goes]();
      await allShow(['redis']);
      await traffic.served(50);
      // Every replica counts for itself meanwhile.
      const allowed = await sharedLimit();
      expect(allowed).toBeGreaterThan(0);
      expect(allowed).toBeLessThanOrEqual(3 * 20);
      expect(isServed(await call('hold_slot', { ms: 1 }, user))).toBe(true);
      expect(isServed(await call('measure', { topic: 'away' }, user))).toBe(true);
      await redis[comes]();
      await allShow([]);
      await traffic.served(50);
      await traffic.stop();
      expect(traffic.lost).toEqual([]);
      expect(isServed(await call('rarely', {}, randomUUID()))).toBe(true);
    },
  );

  it('A subscriber hears of what it may have missed while Redis was away', async () => {
    const client = await connectV1(test.fleet.url, { user: randomUUID() });
    let heard = () => {};
    const isHeard = () => new Promise<void>((resolve) => (heard = resolve));
    await client.watch('fleet://notice', () => heard());
    const before = isHeard();
    await call('write_notice', { text: 'before' });
    await before;
    await test.fleet.redis.kill();
    await allShow(['redis']);
    const after = isHeard();
    for (const { url } of test.fleet.replicas)
      await call('write_notice', { text: 'meanwhile' }, undefined, url);
    await test.fleet.redis.launch();
    await after;
    expect(await client.read('fleet://notice')).toBe('meanwhile');
    await client.close();
  });

  it('Every audit record is in PostgreSQL once, although it was restarted', async () => {
    const { postgres, replicas, auditFiles } = test.fleet;
    const write = async (count: number) => {
      for (let written = 0; written < count; written++)
        expect(isServed(await call('echo', { text: 'x' }))).toBe(true);
    };
    await write(30);
    await postgres.stop();
    await write(30);
    await postgres.launch();
    await write(30);
    // A replica that stops sends its last records.
    for (const replica of replicas) {
      await replica.stop();
      await replica.launch();
    }
    const compared = await compareAudit({ file: auditFiles, url: postgres.url });
    const none = { count: 0 };
    expect(compared).toMatchObject({ equal: true, waiting: 0, missing: none, altered: none, extra: none });
    expect(compared.records).toBeGreaterThanOrEqual(90);
  });
});
