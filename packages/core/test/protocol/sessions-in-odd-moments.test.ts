import type { McpServer } from '@toolwright/core';
import { MemoryClaimStore, MemoryEventStore, type EventStore } from '@toolwright/core/ports';
import { boot } from '../support/booting.js';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt, secret } from '../support/fleet.js';
import { LateAnswers } from '../support/late-answers.js';
import { accept, asked } from '../support/protocol-fixture.js';
import { SessionWire } from '../wire/session-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: Fleet;
let one: McpServer;
beforeEach(async () => {
  fleet = new Fleet();
  one = await fleet.start();
});
afterEach(() => fleet.stop());

const open = (server = one) => new SessionWire(server, { subject: 'ann' });

/** Claims that answer late, with what was true when they were asked. */
function lateClaims() {
  const claims = new MemoryClaimStore(fleet.clock);
  const late = new LateAnswers();
  fleet.claims = {
    claim: (...args) => claims.claim(...args),
    release: (key) => claims.release(key),
    has: (key) => late.after(() => claims.has(key)),
  };
  return late;
}

describe('While a session is being resumed', () => {
  test('the end of the session is not missed', async () => {
    const late = lateClaims();
    const two = await fleet.start();
    const wire = open();
    late.isLate = true;
    const resuming = wire.at(two).resume();
    await settled();
    await one.protocol.endSession(wire.id);
    late.answer();
    expect(await resuming).toBeUndefined();
    expect(two.protocol.load.sessions).toBe(0);
  });

  test('what the client asks for elsewhere is not missed', async () => {
    const late = lateClaims();
    const two = await fleet.start();
    const wire = open();
    late.isLate = true;
    const there = wire.at(two);
    const resuming = there.resume();
    await settled();
    await wire.request('logging/setLevel', { level: 'error' });
    late.answer();
    await resuming;
    expect(there.session!.logLevel).toBe('error');
  });

  test('the server may stop, and keeps nothing', async () => {
    const late = lateClaims();
    const two = await fleet.start();
    const wire = open();
    late.isLate = true;
    const resuming = wire.at(two).resume();
    await settled();
    await two.protocol.drain(0);
    late.answer();
    expect(await resuming).toMatchObject({ status: 503 });
    expect(two.protocol.load.sessions).toBe(0);
  });

  test('all requests that wait get the same reason when it cannot be', async () => {
    const has = () => Promise.reject(new Error('away'));
    fleet.claims = { claim: () => true, release: () => true, has };
    const two = await fleet.start({ whenUnverified: 'refuse' });
    const there = open().at(two);
    const replies = await Promise.all([there.resume(), there.resume(), there.resume()]);
    expect(replies.map((reply) => (reply as { status: number }).status)).toEqual([503, 503, 503]);
  });
});

describe('The end of a session', () => {
  test('is stored before a request that comes at the same time can resume the session', async () => {
    const claims = new MemoryClaimStore(fleet.clock);
    const late = new LateAnswers();
    late.isLate = true;
    fleet.claims = {
      claim: async (...args) => {
        await late.after(() => undefined);
        return claims.claim(...args);
      },
      release: (key) => claims.release(key),
      has: (key) => claims.has(key),
    };
    const [two, three] = [await fleet.start(), await fleet.start()];
    const wire = open(two);
    const there = await openedAt(three, wire);
    const ending = two.protocol.endSession(wire.id);
    await settled();
    const here = wire.resume();
    const elsewhere = there.resume();
    await settled();
    late.answer();
    await ending;
    await Promise.all([here, elsewhere]);
    expect([wire.session, there.session]).toEqual([undefined, undefined]);
  });

  test('holds although the claims were away, as soon as they answer', async () => {
    const claims = new MemoryClaimStore(fleet.clock);
    let isAway = true;
    const whenThere = <T>(answer: () => T) => {
      if (isAway) throw new Error('away');
      return answer();
    };
    fleet.claims = {
      claim: (...args) => whenThere(() => claims.claim(...args)),
      release: (key) => whenThere(() => claims.release(key)),
      has: (key) => whenThere(() => claims.has(key)),
    };
    const [two, three] = [await fleet.start(), await fleet.start()];
    const wire = open(two);
    isAway = false;
    const there = await openedAt(three, wire);
    isAway = true;
    // The message is lost, too.
    fleet.bus.losesNext = Infinity;
    await two.protocol.endSession(wire.id);
    expect(await wire.resume()).toBeUndefined();
    expect(there.session).toBeDefined();
    isAway = false;
    fleet.bus.losesNext = 0;
    await fleet.clock.advance(1_000);
    await settled();
    expect(there.session).toBeUndefined();
    expect(await there.resume()).toBeUndefined();
  });

  test.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
    ['rejects', () => Promise.reject(new Error('away'))],
  ])('is stored although the store of events %s', async (_how, drop) => {
    const events = new MemoryEventStore();
    const broken: EventStore = {
      append: (...args) => events.append(...args),
      after: (...args) => events.after(...args),
      drop,
    };
    const two = await fleet.start({}, { stores: { events: broken } });
    const wire = open(two);
    await two.protocol.endSession(wire.id);
    await settled();
    expect(await wire.at(one).resume()).toBeUndefined();
  });

  test('lasts as long as the id, also where the clock of a process is behind', async () => {
    const until: number[] = [];
    fleet.claims = {
      release: () => true,
      has: () => false,
      claim: (_key, ttlMs) => until.push(fleet.clock.now() + ttlMs) > 0,
    };
    const two = await fleet.start();
    const wire = open(two);
    const { expires } = wire.session!;
    await two.protocol.endSession(wire.id);
    expect(until[0]! - expires).toBeGreaterThanOrEqual(300_000);
  });
});

test('Ended sessions take no room in memory from states, which are used once', async () => {
  const alone = await boot({ name: 'alone', secrets: [secret] });
  alone.tools.add({
    ...{ name: 'ask', description: 'Asks.' },
    handler: async (_args, context) => (await asked('who')(context)).action,
  });
  // As many claims as one caller may have.
  for (let ended = 0; ended < 20_000; ended++) await alone.protocol.endSession(open(alone).id);
  const wire = StatelessWire.of(alone, 'ann', { elicitation: { form: {} } });
  const { requestState } = (await wire.call('ask', {})).result;
  const answered = await wire.call('ask', {}, { requestState, inputResponses: { who: accept('Ada') } });
  await alone.close(0);
  expect(answered.result.content).toEqual([{ type: 'text', text: 'accept' }]);
}, 60_000);

describe('What the store of records says', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['no list', { subscriptions: 5 }],
    ['a text', { subscriptions: 'test://plain' }],
    ['a list of something else', { subscriptions: [{}, 7] }],
    ['nothing', {}],
    ['an unknown level', { logLevel: '__proto__', subscriptions: [] }],
  ])('is ignored when it is no record: %s', async (_what, record) => {
    fleet.records = { get: () => record as never, set: () => undefined, delete: () => undefined };
    const there = await openedAt(await fleet.start(), open());
    expect(there.session).toMatchObject({ logLevel: 'info', subscriptions: new Set() });
  });
});
