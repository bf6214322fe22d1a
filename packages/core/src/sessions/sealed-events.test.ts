import type { EventStore, StoredEvent } from '@toolwright/ground/ports/event-store';
import { Seal } from '@toolwright/json';
import { SealedEventStore } from './sealed-events.js';

const secrets = ['s'.repeat(32)];

/** A store whose operator writes what he likes. */
class OpenStore implements EventStore {
  readonly events: StoredEvent[] = [];

  append(_session: string, _stream: string, event: StoredEvent): void {
    this.events.push(event);
  }

  after(): readonly StoredEvent[] {
    return this.events;
  }

  drop(): void {
    this.events.length = 0;
  }
}

test('an event that the store has moved to another stream is not replayed', async () => {
  const store = new OpenStore();
  const sealed = new SealedEventStore(store, secrets);
  await sealed.append('session', 'a', { id: 'a_1', text: 'for a' });
  expect(await sealed.after('session', 'a', 'a_0')).toEqual([{ id: 'a_1', text: 'for a' }]);
  expect(await sealed.after('session', 'b', 'b_0')).toEqual([]);
});

test('an event of the release before is replayed on the stream that its id names, and on no other', async () => {
  const store = new OpenStore();
  const text = new Seal(secrets, 'session event').seal('older', 'session a_1');
  store.append('session', 'a', { id: 'a_1', text });
  const sealed = new SealedEventStore(store, secrets);
  expect(await sealed.after('session', 'a', 'a_0')).toEqual([{ id: 'a_1', text: 'older' }]);
  expect(await sealed.after('session', 'b', 'b_0')).toEqual([]);
});
