import { leftInOldGeneration } from '../../../../../.ci/test/support/left-in-old-generation.js';
import { OpenList, RunningWork } from './running-work.js';

test('members come in order, and leave from anywhere, once', () => {
  const list = new OpenList<string>();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => list.add(name));
  expect([...list]).toEqual(['a', 'b', 'c']);
  expect(list.remove(b!)).toBe(true);
  expect(list.remove(b!)).toBe(false);
  list.add('d');
  expect([...list]).toEqual(['a', 'c', 'd']);
  list.remove(a!);
  list.remove(c!);
  expect([...list]).toEqual(['d']);
});

test('who leaves during a loop is passed over, and who comes is not in it', () => {
  const list = new OpenList<string>();
  list.add('a');
  const b = list.add('b');
  list.add('c');
  const seen: string[] = [];
  for (const member of list) {
    seen.push(member);
    if (member === 'a') {
      list.remove(b);
      list.add('d');
    }
  }
  expect(seen).toEqual(['a', 'c']);
  expect([...list]).toEqual(['a', 'c', 'd']);
});

test('members that come and go leave nothing for full collections, as those of a Map do', () => {
  const list = new OpenList<object>();
  const open: ReturnType<typeof list.add>[] = [];
  const left = leftInOldGeneration((index) => {
    open.push(list.add({ index }));
    if (open.length > 50) list.remove(open.shift()!);
  });
  // With a Map, 9 to 60.
  expect(left).toBeLessThan(4);
});

test('work that enters again is there once, and leaves', () => {
  const running = new RunningWork({ perTool: 1, total: 1 });
  const work = { operation: { kind: 'tool', name: 'a' }, request: {} } as never;
  const race = { began: 1, stop: () => true };
  running.abandon(work);
  running.enter(work, race);
  expect([...running.open()].map(({ began }) => began)).toEqual([1]);
  running.leave(work);
  expect([...running.open()]).toEqual([]);
});
