import assert from 'node:assert/strict';
import type { EventStore, StoredEvent } from '@toolwright/core';
import { describeContract } from './test-runner.js';

/** An event store under test. It is empty. */
export interface EventStoreSubject {
  store: EventStore;
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
    async 'replays what followed an event, in order, on its own stream alone'({ store }) {
      await fill(store);
      assert.deepEqual(await replay(store, 's1', 'a', 'a0'), [event('a1'), event('a2')]);
      assert.deepEqual(await store.after('s1', 'a', 'a2'), []);
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
