import { MemoryEventStore } from './event-store.js';

const append = (store: MemoryEventStore, session: string, id: string, text = 'x'.repeat(10)) =>
  store.append(session, 's', { id, text });
const idsAfter = (store: MemoryEventStore, session: string, id: string) =>
  store.after(session, 's', id).map((event) => event.id);

describe('events in memory', () => {
  it('are bounded in number and size for each session', () => {
    for (const limits of [{ maxEvents: 2 }, { maxBytes: 15 }]) {
      const store = new MemoryEventStore(limits);
      for (const id of ['1', '2', '3', '4']) append(store, 'a', id);
      expect(['1', '2', '3'].map((id) => idsAfter(store, 'a', id))).toEqual([[], ['3', '4'], ['4']]);
    }
  });

  it('of all sessions are bounded: those of the longest silent one give way', () => {
    const store = new MemoryEventStore({ maxTotalBytes: 50 });
    for (const session of ['a', 'b']) for (const id of ['1', '2']) append(store, session, id);
    append(store, 'a', '3');
    expect(idsAfter(store, 'b', '1')).toEqual(['2']);
    append(store, 'c', '1');
    expect(idsAfter(store, 'b', '1')).toEqual([]);
    expect(idsAfter(store, 'a', '1')).toEqual(['2', '3']);
    store.drop('a');
    for (const id of ['1', '2', '3', '4']) append(store, 'd', id);
    expect(idsAfter(store, 'd', '1')).toEqual(['2', '3', '4']);
    expect(idsAfter(store, 'c', '0')).toEqual([]);
  });

  it('larger than the limit of a session are kept for a client that has everything before them', () => {
    const store = new MemoryEventStore({ maxBytes: 5 });
    append(store, 'a', '1');
    append(store, 'a', '2');
    append(store, 'a', '3', 'x'.repeat(1_000));
    expect([idsAfter(store, 'a', '2'), idsAfter(store, 'a', '1')]).toEqual([['3'], []]);
    // Of another stream, the same id says nothing.
    store.append('a', 't', { id: '4', text: '' });
    expect(store.after('a', 't', '2')).toEqual([]);
  });
});
