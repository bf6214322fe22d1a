import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UnreliableLink } from '@toolwright/testing';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { Traffic } from '../src/load/traffic.js';
import { callTool, openSession, post, type Answer } from '../src/load/wire.js';
import { BalancerProcess } from '../src/processes/balancer-process.js';
import { freePort } from '../src/processes/free-port.js';
import { ReplicaProcess } from '../src/processes/replica-process.js';
import { connectV1, modes } from './support/clients.js';
import { describeFleet } from './support/describe-fleet.js';
import { mostAtATime, type Span } from './support/most-at-a-time.js';
import { whileStoresAnswer } from './support/while-stores-answer.js';

const isServed = ({ message }: Answer) => message?.result !== undefined && !message.result.isError;

describeFleet('A fleet one replica of which has a bad network', { replicas: 2 }, (test) => {
  let redis: UnreliableLink;
  let postgres: UnreliableLink;
  let replica: ReplicaProcess;

  beforeAll(async () => {
    const { fleet } = test;
    redis = await UnreliableLink.to(fleet.redis.port);
    postgres = await UnreliableLink.to(fleet.postgres.port);
    replica = await ReplicaProcess.start('far', await freePort(), {
      ...fleet.environment,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      DATABASE_URL: fleet.postgres.url.replace(String(fleet.postgres.port), String(postgres.port)),
      AUDIT_FILE: `${fleet.auditFiles[0]!}-far`,
    });
  });

  afterAll(async () => {
    await replica?.stop();
    await redis?.close();
    await postgres?.close();
  });

  const call = (url: string, name: string, args: object, user: string) =>
    callTool(url, name, { ...args }, { user });
  const shows = async (away: string[]) => {
    for (;;) {
      const answer = await fetch(replica.url.replace('/mcp', '/readyz'));
      const { away: announced = [] } = (await answer.json()) as { away?: string[] };
      // While there is traffic, the limits count locally.
      const stores = announced.filter((store) => store !== 'shared limits');
      if (JSON.stringify(stores) === JSON.stringify(away)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const allowed = async (url: string, user: string) => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => call(url, 'rarely', {}, user)));
    return answers.filter(isServed).length;
  };

  it.each([
    ['is cut off from Redis', () => redis.cut()],
    ['hears nothing from Redis', () => redis.silence()],
    ['hears from Redis too late', () => redis.slow(400)],
  ])(
    'While it %s it counts for itself, the others count together, and all calls are served',
    async (_what, fail) => {
      const user = randomUUID();
      const session = await openSession(replica.url, user);
      const traffic = Traffic.start(replica.url, { lanes: 4, sessions: [{ user, session }] });
      await traffic.served(20);
      fail();
      await shows(['redis']);
      await traffic.served(50);
      expect(await allowed(replica.url, user)).toBeLessThanOrEqual(20);
      expect(await whileStoresAnswer(test.fleet, () => allowed(test.fleet.url, randomUUID()))).toBe(20);
      redis.mend();
      await shows([]);
      await traffic.served(50);
      await traffic.stop();
      expect(traffic.lost).toEqual([]);
    },
  );

  it('A subscriber of the replica that was cut off hears what changed meanwhile', async () => {
    const client = await connectV1(replica.url, { user: randomUUID() });
    let heard = () => {};
    const isHeard = () => new Promise<void>((resolve) => (heard = resolve));
    await client.watch('fleet://notice', () => heard());
    const before = isHeard();
    await call(test.fleet.url, 'write_notice', { text: 'before' }, randomUUID());
    await before;
    redis.cut();
    await shows(['redis']);
    await call(test.fleet.url, 'write_notice', { text: 'meanwhile' }, randomUUID());
    const after = isHeard();
    redis.mend();
    await after;
    expect(await client.read('fleet://notice')).toBe('meanwhile');
    await client.close();
  });

  it('Calls that need no database go on while PostgreSQL is silent, and it is used again afterwards', async () => {
    const user = randomUUID();
    postgres.silence();
    for (let asked = 0; asked < 20; asked++)
      expect(isServed(await call(replica.url, 'whoami', {}, user))).toBe(true);
    postgres.mend();
    postgres.cut();
    postgres.mend();
    while (!isServed(await call(replica.url, 'count_call', { key: user }, user)));
    expect(isServed(await call(test.fleet.url, 'count_call', { key: user }, user))).toBe(true);
  });

  it.each(modes)(
    'A call whose server is killed behind the balancer fails at once and has run at most once, and the next is served: $name',
    async ({ connect }) => {
      const port = ({ url }: { url: string }) => Number(new URL(url).port);
      const folder = temporaryFolder();
      const balancer = await BalancerProcess.start(folder, {
        port: await freePort(),
        replicas: [replica, test.fleet.replicas[0]!].map((each) => ({ name: each.name, port: port(each) })),
        checkMs: 100,
      });
      const client = await connect(balancer.url, { user: randomUUID() });
      // What the far replica counts is counted late.
      postgres.slow(1_000);
      const keys = Array.from({ length: 4 }, () => randomUUID());
      const calls = keys.map((key) => client.call('count_call', { key }));
      await Promise.race(calls);
      await replica.kill();
      const outcomes = await Promise.allSettled(calls);
      const lost = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost.length).toBeGreaterThan(0);
      for (const { reason } of lost as PromiseRejectedResult[]) expect(String(reason)).toContain('502');
      expect(JSON.stringify(await client.call('whoami'))).toContain(test.fleet.replicas[0]!.name);
      postgres.mend();
      await replica.launch();
      const counted = await Promise.all(keys.map((key) => client.call('count_call', { key })));
      outcomes.forEach(({ status }, at) =>
        expect(status === 'fulfilled' ? [2] : [1, 2]).toContain(counted[at] as number),
      );
      await client.close();
      await balancer.stop();
    },
  );
});

const MINUTES = 60_000;

describeFleet('A fleet whose clocks differ', {}, (test) => {
  const replicas: ReplicaProcess[] = [];

  beforeAll(async () => {
    for (const minutes of [-4, 4])
      replicas.push(
        await ReplicaProcess.start(`clock${minutes}`, await freePort(), {
          ...test.fleet.environment,
          AUDIT_FILE: `${test.fleet.auditFiles[0]!}${minutes}`,
          NODE_OPTIONS: `--require ${join(__dirname, 'fixtures/shift-clock.cjs')}`,
          CLOCK_SHIFT_MS: String(minutes * MINUTES),
        }),
      );
  });

  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  /** The endpoints of a replica that is behind, of one that is right, and of one that is ahead. */
  const urls = (): [string, string, string] => [
    replicas[0]!.url,
    test.fleet.replicas[0]!.url,
    replicas[1]!.url,
  ];

  it('A limit of 20 is 20: the clock of Redis counts', async () => {
    const answers = await whileStoresAnswer(test.fleet, () => {
      const user = randomUUID();
      return Promise.all(
        Array.from({ length: 60 }, (_, index) => callTool(urls()[index % 3]!, 'rarely', {}, { user })),
      );
    });
    expect(answers.filter(isServed)).toHaveLength(20);
  });

  it('Two calls hold a slot at a time', async () => {
    const answers = await whileStoresAnswer(test.fleet, () =>
      Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          callTool(urls()[index % 3]!, 'hold_slot', { ms: 100 }, { user: randomUUID() }),
        ),
      ),
    );
    const shiftOf: Record<string, number> = { 'clock-4': -4 * MINUTES, clock4: 4 * MINUTES };
    const spans = answers.map(({ message }) => {
      const { instance, from, to } = message!.result!.structuredContent as Span & { instance: string };
      return { from: from - (shiftOf[instance] ?? 0), to: to - (shiftOf[instance] ?? 0) };
    });
    expect(mostAtATime(spans)).toBe(2);
  });

  it('A session that one of them opened is served by all of them', async () => {
    for (const opener of urls()) {
      const user = randomUUID();
      const session = await openSession(opener, user);
      for (const url of urls())
        expect((await post(url, 'tools/list', {}, { user, session })).status).toBe(200);
    }
  });

  it.each(modes)('A question that one of them asked is answered at another: $name', async ({ connect }) => {
    const [behind, right, ahead] = urls();
    for (const [first, second] of [
      [behind, ahead],
      [ahead, behind],
      [right, behind],
    ] as const) {
      let posts = 0;
      // Every other request goes to the second replica.
      const turning: typeof fetch = (input, init) =>
        fetch(String(input).replace(first, posts++ % 2 ? second : first), init);
      const client = await connect(first, { user: randomUUID(), name: 'Ada', fetch: turning });
      expect(await client.call('ask')).toBe('Hello, Ada!');
      await client.close();
    }
  });
});
