import { MemoryEventStore } from './event-store.js';

const append = (store: MemoryEventStore, session: string, id: string, text = 'x'.repeat(10)) =>
  store.append(session, 's', { id, text });
const idsAfter = (store: MemoryEventStore, session: string, id: string) =>
  store.after(session, 's', id).map((event) => event.id);

describe('events in memory', () => {
  it('are bounded in number and size for each session', () => {
    const few = new MemoryEventStore({ maxEvents: 2 });
    for (const id of ['1', '2', '3']) append(few, 'a', id);
    expect([idsAfter(few, 'a', '1'), idsAfter(few, 'a', '2')]).toEqual([[], ['3']]);
    const small = new MemoryEventStore({ maxBytes: 25 });
    for (const id of ['1', '2', '3']) append(small, 'a', id);
    expect([idsAfter(small, 'a', '1'), idsAfter(small, 'a', '2')]).toEqual([[], ['3']]);
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
});
