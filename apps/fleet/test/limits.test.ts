import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { callTool, openPost, type Answer } from '../src/load/wire.js';
import { mostAtATime, type Span } from './support/most-at-a-time.js';
import { describeFleet } from './support/describe-fleet.js';
import { whileStoresAnswer } from './support/while-stores-answer.js';

const LEASE_MS = 1_000;

describeFleet('Limits of three replicas', { environment: { LEASE_MS: String(LEASE_MS) } }, (test) => {
  const isServed = ({ message }: Answer) => message?.result !== undefined && !message.result.isError;
  const call = (name: string, args: object, user: string, url = test.fleet.url) =>
    callTool(url, name, { ...args }, { user });
  /** So many calls, which all replicas get in turn. A balancer may send them to whoever answers first. */
  const callAll = (count: number, name: string, args: object, userOf: () => string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        call(name, args, userOf(), test.fleet.replicas[index % test.fleet.replicas.length]!.url),
      ),
    );
  const spanOf = ({ message }: Answer) => message!.result!.structuredContent as Span & { instance: string };

  it('A limit of 20 is 20, however the calls are spread', async () => {
    const answers = await whileStoresAnswer(test.fleet, async () => {
      const user = randomUUID();
      const early: Answer[] = [];
      for (const { url } of test.fleet.replicas) early.push(await call('rarely', {}, user, url));
      return [...early, ...(await callAll(57, 'rarely', {}, () => user))];
    });
    const served = answers.filter(isServed);
    expect(served).toHaveLength(20);
    expect(new Set(served.map(({ message }) => message!.result!.structuredContent)).size).toBeGreaterThan(1);
    expect(isServed(await call('rarely', {}, randomUUID()))).toBe(true);
  });

  it('Two calls hold a slot at a time, and every call gets one', async () => {
    const answers = await whileStoresAnswer(test.fleet, () =>
      callAll(12, 'hold_slot', { ms: 150 }, randomUUID),
    );
    const spans = answers.map(spanOf);
    expect(mostAtATime(spans)).toBe(2);
    expect(new Set(spans.map(({ instance }) => instance)).size).toBe(test.fleet.replicas.length);
  });

  it('The slots of a killed replica come back', async () => {
    const [first, second] = test.fleet.replicas;
    const hold = async () => {
      const params = { name: 'hold_slot', arguments: { ms: 60_000 }, _meta: { progressToken: 1 } };
      // The answer begins when the call has its slot.
      return openPost(first!.url, 'tools/call', params, { user: randomUUID() });
    };
    const held = await Promise.all([hold(), hold()]);
    const isBroken = Promise.all(held.map((response) => once(response, 'error')));
    for (const response of held) response.resume();
    const waiting = call('hold_slot', { ms: 1 }, randomUUID(), second!.url);
    await first!.kill();
    await isBroken;
    expect(isServed(await waiting)).toBe(true);
    await first!.launch();
  });
});
