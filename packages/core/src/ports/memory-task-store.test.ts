import { systemClock } from './clock.js';
import { MemoryTaskStore } from './memory-task-store.js';

test('tasks of anonymous callers take no place from a principal, nor more than one owner may have', () => {
  const store = new MemoryTaskStore(systemClock, { max: 2, maxPerOwner: 2 });
  let made = 0;
  const begins = (owner: string) =>
    store.create({ id: String(++made), owner, ttlMs: null, pollIntervalMs: 1 }) !== undefined;
  expect(['', '', ''].map(begins)).toEqual([true, true, false]);
  expect(['ann', 'bob', 'cid'].map(begins)).toEqual([true, true, false]);
});
