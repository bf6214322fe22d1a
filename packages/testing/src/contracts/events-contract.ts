import type { EventBus, EventStore, ServerEvent, StoredEvent } from '@toolwright/core/ports';
import assert from 'node:assert/strict';
import { describeContract } from './test-runner.js';

/** An event bus under test. It has no subscribers. */
export interface EventBusSubject {
  bus: EventBus;
  /** Another instance of the server on the same bus. Pass it for buses that processes share. */
  peer?: EventBus;
  close?(): unknown;
}

const updated = (uri: string): ServerEvent => ({ type: 'resourceUpdated', uri });
const last = updated('test://last');

/** Records the events that arrive. `all` resolves with them when the event `last` has come. */
function record(bus: EventBus) {
  const seen: ServerEvent[] = [];
  let arrived!: () => void;
  const complete = new Promise<void>((resolve) => (arrived = resolve));
  const stop = bus.subscribe((event) => {
    seen.push(event);
    if (event.type === last.type && 'uri' in event && event.uri === 'test://last') arrived();
  });
  return { seen, stop, all: () => complete.then(() => seen) };
}

/** Declares the tests that every `EventBus` must pass. */
export function describeEventBus(
  name: string,
  create: () => EventBusSubject | Promise<EventBusSubject>,
): void {
  describeContract(`${name} keeps the contract of EventBus`, create, {
    async 'brings every event to every subscriber, in order'({ bus, peer = bus }) {
      const [here, there] = [record(bus), record(peer)];
      const events = [{ type: 'toolsListChanged' } as const, updated('test://a'), updated('test://b'), last];
      for (const event of events) await bus.publish(event);
      assert.deepEqual(await here.all(), events);
      assert.deepEqual(await there.all(), events);
    },

    async 'brings nothing to a subscriber that has stopped, however often it stops'({ bus }) {
      const [stopped, listening] = [record(bus), record(bus)];
      stopped.stop();
      stopped.stop();
      await bus.publish(last);
      await listening.all();
      assert.deepEqual(stopped.seen, []);
    },

    async 'keeps subscriptions apart that share one listener'({ bus }) {
      let calls = 0;
      const count = () => void calls++;
      const stop = bus.subscribe(count);
      bus.subscribe(count);
      stop();
      const listening = record(bus);
      await bus.publish(last);
      await listening.all();
      assert.equal(calls, 1);
    },

    async 'reaches the others when a subscriber throws, whether or not the publisher hears of it'({ bus }) {
      bus.subscribe(() => {
        throw new Error('a listener of the contract suite fails on purpose');
      });
      const listening = record(bus);
      await Promise.allSettled([(async () => bus.publish(last))()]);
      assert.deepEqual(await listening.all(), [last]);
    },

    async 'publishes without subscribers'({ bus }) {
      await bus.publish(last);
    },
  });
}

/** An event store under test. It is empty. */
export interface EventStoreSubject {
  store: EventStore;
  /** The store of another process. Pass it for stores that processes share. */
  peer?: EventStore;
  close?(): unknown;
}

const event = (id: string) => ({ id, text: `{"id":"${id}"}` });

/** A store may keep more fields of an event than it got. */
async function replay(store: EventStore, ...after: Parameters<EventStore['after']>): Promise<StoredEvent[]> {
  return (await store.after(...after)).map(({ id, text }) => ({ id, text }));
}

async function fill(store: EventStore): Promise<void> {
  await store.append('s1', 'a', event('a0'));
  await store.append('s1', 'b', event('b0'));
  await store.append('s1', 'a', event('a1'));
  await store.append('s2', 'a', event('c0'));
  await store.append('s1', 'a', event('a2'));
}

/** Declares the tests that every `EventStore` must pass. */
export function describeEventStore(
  name: string,
  create: () => EventStoreSubject | Promise<EventStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of EventStore`, create, {
    async 'replays what followed an event, in order, on its own stream alone'({ store, peer = store }) {
      await fill(store);
      assert.deepEqual(await replay(peer, 's1', 'a', 'a0'), [event('a1'), event('a2')]);
      assert.deepEqual(await peer.after('s1', 'a', 'a2'), []);
    },

    async 'keeps the order in which a process appends without waiting'({ store, peer = store }) {
      const events = Array.from({ length: 60 }, (_, index) => event(`a${index}`));
      const all = events.flatMap((each, index) => [
        { session: 's1', stream: 'a', each },
        { session: 's2', stream: 'b', each: event(`b${index}`) },
        { session: 's1', stream: 'c', each: event(`c${index}`) },
      ]);
      await Promise.all(all.map(async ({ session, stream, each }) => store.append(session, stream, each)));
      assert.deepEqual(await replay(peer, 's1', 'a', 'a0'), events.slice(1));
    },

    async 'keeps what two processes append to one session at the same time'({ store, peer = store }) {
      const events = Array.from({ length: 20 }, (_, index) => index);
      const both = [['a', store] as const, ['b', peer] as const];
      await Promise.all(
        both.flatMap(([stream, each]) =>
          events.map(async (index) => each.append('s1', stream, event(`${stream}${index}`))),
        ),
      );
      for (const [stream, each] of both)
        assert.deepEqual(
          await replay(each, 's1', stream, `${stream}4`),
          events.slice(5).map((index) => event(`${stream}${index}`)),
        );
    },

    async 'keeps texts and names as they are'({ store, peer = store }) {
      const text = `${JSON.stringify('naïve ✓ \u2028 \0 {a,b} "\\" NULL')}${'x'.repeat(100_000)}`;
      const [session, stream] = ['a session {,"\\', 'a {stream},"\\'];
      await store.append(session, stream, { id: 'NULL', text: '' });
      await store.append(session, stream, { id: '{"1"}', text });
      assert.deepEqual(await replay(peer, session, stream, 'NULL'), [{ id: '{"1"}', text }]);
    },

    async 'replays nothing for an event that is unknown, of another stream or of another session'({ store }) {
      await fill(store);
      assert.deepEqual(await store.after('s1', 'a', 'nothing'), []);
      assert.deepEqual(await store.after('s1', 'a', 'b0'), []);
      assert.deepEqual(await store.after('s2', 'a', 'a0'), []);
      assert.deepEqual(await store.after('s3', 'a', 'a0'), []);
    },

    async 'keeps the mark at the end of a stream'({ store }) {
      await fill(store);
      await store.append('s1', 'a', { id: 'a3', text: '', last: true });
      const [first, end] = await store.after('s1', 'a', 'a1');
      assert.deepEqual([first?.last ?? false, end?.id, end?.last], [false, 'a3', true]);
    },

    async 'forgets a dropped session, and no other'({ store }) {
      await fill(store);
      await store.append('s2', 'a', event('c1'));
      await store.drop('s1');
      assert.deepEqual(await store.after('s1', 'a', 'a0'), []);
      assert.deepEqual(await replay(store, 's2', 'a', 'c0'), [event('c1')]);
    },
  });
}
