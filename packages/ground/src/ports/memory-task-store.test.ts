import { systemClock } from './clock-and-ids.js';
import { MemoryTaskStore } from './memory-task-store.js';
import type { TaskPage } from './task-store.js';

test('tasks of anonymous callers take no place from a principal, nor more than one owner may have', () => {
  const store = new MemoryTaskStore(systemClock, { max: 2, maxPerOwner: 2 });
  let made = 0;
  const begins = (owner: string) =>
    store.create({ id: String(++made), owner, ttlMs: null, pollIntervalMs: 1 }) !== undefined;
  expect(['', '', ''].map(begins)).toEqual([true, true, false]);
  expect(['ann', 'bob', 'cid'].map(begins)).toEqual([true, true, false]);
});

test('what expires or is forgotten makes room for as many new tasks', () => {
  let now = 0;
  const store = new MemoryTaskStore(
    { ...systemClock, now: () => now, monotonic: () => now },
    { max: 3, maxPerOwner: 2 },
  );
  let made = 0;
  const begins = (owner: string, ttlMs: number | null) =>
    store.create({ id: String(++made), owner, ttlMs, pollIntervalMs: 1 }) !== undefined;
  expect([begins('ann', 100), begins('ann', 50), begins('ann', 50)]).toEqual([true, true, false]);
  now = 50;
  expect([begins('ann', null), begins('ann', null)]).toEqual([true, false]);
  now = 100;
  expect([begins('ann', null), begins('bob', null), begins('bob', null)]).toEqual([true, true, false]);
  store.remove('1');
  store.remove('4');
  expect([begins('bob', null), begins('ann', null)]).toEqual([true, false]);
});

test('a long list comes in pages, and a cursor of somebody else is refused', () => {
  const store = new MemoryTaskStore(systemClock);
  for (let index = 0; index < 250; index++)
    store.create({ id: String(index), owner: 'ann', ttlMs: null, pollIntervalMs: 1 });
  const ids: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = undefined, more = true; more; more = cursor !== undefined) {
    const page: TaskPage = store.list('ann', cursor)!;
    ids.push(...page.tasks.map(({ id }) => id));
    cursor = page.next;
    pages++;
  }
  expect([pages, ids]).toEqual([3, Array.from({ length: 250 }, (_, index) => String(index))]);
  expect(store.list('ann', '-1')).toBeUndefined();
});
