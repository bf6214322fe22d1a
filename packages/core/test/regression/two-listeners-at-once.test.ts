import type { McpServer } from '@toolwright/core';
import { MemoryEventBus, type ServerEvent } from '@toolwright/core/ports';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt } from '../support/fleet.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';

// Two GETs for the changes of one session, at the same moment. Both streams were ended when they came to two processes;
// and at one process, the second GET did not wait for what the process before had not stored yet.

/** A bus whose messages take a while. */
class SlowBus extends MemoryEventBus {
  #held: ServerEvent[] | undefined;

  hold(): void {
    this.#held = [];
  }

  override publish(event: ServerEvent): void {
    if (this.#held) this.#held.push(event);
    else super.publish(event);
  }

  async letGo(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) super.publish(event);
    await settled();
  }
}

let fleet: Fleet;
let bus: SlowBus;
let one: McpServer;
let two: McpServer;
let here: SessionWire;
let there: SessionWire;

beforeEach(async () => {
  [fleet, bus] = [new Fleet(), new SlowBus()];
  [one, two] = [await fleet.start({}, { stores: { bus } }), await fleet.start({}, { stores: { bus } })];
  here = new SessionWire(one, { subject: 'ann' });
  there = await openedAt(two, here);
});
afterEach(() => fleet.stop());

const listen = (wire: SessionWire) => {
  const sink = new RecordingSink();
  wire.session!.streams.listen(sink);
  return sink;
};
const idle = (ms: number) => fleet.clock.advance(ms).then(settled);

// The winner is drawn by lot, so several draws are looked at.
test.each([1, 2, 3, 4, 5, 6])('one of two processes keeps the client (%i)', async () => {
  bus.hold();
  const sinks = [listen(here), listen(there)];
  await bus.letGo();
  await idle(1_000);
  expect(sinks.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
  one.resourceUpdated('a://b');
  here.session!.streams.announce('{"a":1}');
  there.session!.streams.announce('{"a":1}');
  expect(sinks.flatMap(({ eventIds }) => eventIds)).toHaveLength(1);
});

test.each([1, 2, 3, 4])(
  'a process that joins too late to hear the other one has got the client later, and keeps it (%i)',
  async () => {
    const first = listen(here);
    const third = await fleet.start({}, { stores: { bus } });
    const late = await openedAt(third, here);
    const second = listen(late);
    await idle(1_000);
    expect([first.isClosed, second.isClosed]).toEqual([true, false]);
  },
);

test('a client that moves on is followed, however soon, once its connection is gone', async () => {
  const sink = new RecordingSink();
  const detach = here.session!.streams.listen(sink);
  detach();
  const second = listen(there);
  await idle(1_000);
  expect(second.isClosed).toBe(false);
  const third = listen(here);
  await idle(1_000);
  expect([second.isClosed, third.isClosed]).toEqual([true, false]);
});

test('the last one of many connections in a row keeps the client', async () => {
  const sinks: RecordingSink[] = [];
  for (let round = 0; round < 10; round++) sinks.push(listen(round % 2 ? there : here));
  await idle(1_000);
  expect(sinks.map(({ isClosed }) => isClosed)).toEqual([...Array<boolean>(9).fill(true), false]);
});

test('the second GET at a process waits, like the first, until the process before has stored what it sent', async () => {
  const before = listen(there);
  await idle(1_000);
  there.session!.streams.announce('{"seen":1}');
  bus.hold();
  const [first, second] = [new RecordingSink(), new RecordingSink()];
  const lastEventId = before.eventIds[0]!;
  const resuming = [first, second].map((sink) => here.session!.streams.resume(lastEventId, sink));
  await settled();
  // The other process has not heard of it yet.
  there.session!.streams.announce('{"late":1}');
  await bus.letGo();
  await Promise.all(resuming);
  await settled();
  expect(second.inbox.messages).toEqual([{ late: 1 }]);
  expect([first.isClosed, second.isClosed]).toEqual([true, false]);
});

test('a process of an older release, which makes no claim, gets the client', async () => {
  const sink = listen(here);
  here.session!.streams.hear({ kind: 'listening' });
  await settled();
  expect(sink.isClosed).toBe(true);
});
