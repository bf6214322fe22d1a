import { randomUUID } from 'node:crypto';
import { callTool, openGet, openPost, openSession } from '../src/load/wire.js';
import { readEvents, type ReadEvent } from '../src/load/event-reader.js';
import { Traffic } from '../src/load/traffic.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('A fleet whose parts fail', {}, (test) => {
  const isServed = async (session: string, user: string) => {
    const { status, message } = await callTool(test.fleet.url, 'whoami', {}, { session, user });
    return status === 200 && JSON.stringify(message).includes(user);
  };
  const stepOf = ({ message }: ReadEvent) =>
    message?.method === 'notifications/message'
      ? (message.params!['data'] as { step: number }).step
      : undefined;

  it('No session is stranded when a replica is killed under load', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const user = `user-${index}`;
        return { user, session: await openSession(test.fleet.url, user) };
      }),
    );
    const traffic = Traffic.start(test.fleet.url, { lanes: 8, sessions });
    const [, killed] = test.fleet.replicas;
    await traffic.served(100);
    const atRisk = new Set(traffic.underWay);
    const before = traffic.sent;
    await killed!.kill();
    for (let number = before + 1; number <= traffic.sent; number++) atRisk.add(number);
    await traffic.served(100);
    for (const { session, user } of sessions)
      for (let asked = 0; asked < 3; asked++) expect(await isServed(session, user)).toBe(true);
    await killed!.launch();
    await traffic.served(100);
    await traffic.stop();
    // What the replica was working on until it had ended is lost, and nothing else. The kernel closes the connections of
    // a dying process one by one, so a lane can lose a second call on a connection that is closed later.
    expect(traffic.lostNumbers.filter((number) => !atRisk.has(number))).toEqual([]);
    for (const { session, user } of sessions) expect(await isServed(session, user)).toBe(true);
  });

  it('A stream goes on at another replica when the one that carries it is killed', async () => {
    const [owner, carrier, last] = test.fleet.replicas;
    const user = randomUUID();
    const session = await openSession(owner!.url, user);
    const asking = { user, session };
    const steps: number[] = [];
    let lastId: string | undefined;
    let result: unknown;
    const follow = async (events: AsyncIterable<ReadEvent>, until: number) => {
      for await (const event of events) {
        lastId = event.id ?? lastId;
        const step = stepOf(event);
        if (step !== undefined) steps.push(step);
        if (event.message?.result) result = event.message.result.structuredContent;
        if (steps.length >= until) return;
      }
    };
    const params = { name: 'count_slowly', arguments: { steps: 100, ms: 20 } };
    await follow(readEvents(await openPost(owner!.url, 'tools/call', params, asking)), 10);
    await follow(readEvents(await openGet(carrier!.url, asking, lastId)), 20);
    const carried = readEvents(await openGet(carrier!.url, asking, lastId));
    await follow(carried, 30);
    await carrier!.kill();
    await follow(carried, Infinity);
    await follow(readEvents(await openGet(last!.url, asking, lastId)), Infinity);
    await carrier!.launch();
    expect(steps).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(result).toEqual({ instance: owner!.name, steps: 100 });
  });

  it('A stream whose replica is killed is replayed to where it came, and then says so', async () => {
    const [owner, , last] = test.fleet.replicas;
    const user = randomUUID();
    const session = await openSession(owner!.url, user);
    const params = { name: 'count_slowly', arguments: { steps: 1_000, ms: 20 } };
    const response = await openPost(owner!.url, 'tools/call', params, { user, session });
    const seen: ReadEvent[] = [];
    for await (const event of readEvents(response)) {
      seen.push(event);
      if (seen.length === 20) await owner!.kill();
    }
    const replayed: ReadEvent[] = [];
    const events = readEvents(await openGet(last!.url, { user, session }, seen[5]!.id));
    for await (const event of events) replayed.push(event);
    await owner!.launch();
    const steps = replayed.map(stepOf).filter((step) => step !== undefined);
    const first = stepOf(seen[6]!)!;
    expect(steps).toEqual(steps.map((_, index) => first + index));
    expect(steps).toEqual(expect.arrayContaining(seen.slice(6).map(stepOf)));
    expect(replayed.at(-1)!.message!.error!.message).toContain('has ended');
  });

  it('A rolling restart loses no call', async () => {
    const key = randomUUID();
    const traffic = Traffic.start(test.fleet.url, { lanes: 6, tool: 'count_call', arguments: { key } });
    const served = new Set<string>();
    for (const replica of test.fleet.replicas) {
      await traffic.served(50);
      const params = { name: 'count_slowly', arguments: { steps: 10, ms: 50 } };
      const long = callTool(replica.url, params.name, params.arguments);
      await traffic.served(5);
      await replica.stop();
      expect((await long).message!.result!.structuredContent).toEqual({ instance: replica.name, steps: 10 });
      expect(replica.exitCode).toBe(0);
      await replica.launch();
      served.add(replica.name);
    }
    await traffic.served(50);
    await traffic.stop();
    expect(served.size).toBe(3);
    expect(traffic.lost).toEqual([]);
    const { message } = await callTool(test.fleet.url, 'count_call', { key });
    expect(message!.result!.structuredContent).toBe(traffic.count + 1);
  });
});
