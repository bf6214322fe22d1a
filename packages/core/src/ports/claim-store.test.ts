import type { Clock } from './clock.js';
import { MemoryClaimStore } from './claim-store.js';

let now: number;
const clock: Clock = { now: () => now, after: () => () => undefined };

beforeEach(() => {
  now = 0;
});

test('a full store refuses further claims, and takes them when others have ended', () => {
  const store = new MemoryClaimStore(clock, 2);
  expect([store.claim('a', 10_000), store.claim('b', 500), store.claim('c', 500)]).toEqual([
    true,
    true,
    false,
  ]);
  now = 1_000;
  expect([store.claim('c', 10_000), store.claim('d', 10_000)]).toEqual([true, false]);
});

test('a full store looks at its claims at most once a second, however many are refused', () => {
  const store = new MemoryClaimStore(clock, 3);
  for (const key of ['a', 'b', 'c']) store.claim(key, 10_000);
  const looks = countLooks(() => {
    for (now = 5_000; now < 8_000; now += 10) store.claim(`d${now}`, 10_000);
  });
  expect(looks).toBe(3 * 3);
});

/** How many claims were looked at one by one. */
function countLooks(run: () => void): number {
  const iterate = Map.prototype[Symbol.iterator];
  let looks = 0;
  Map.prototype[Symbol.iterator] = Map.prototype.entries = function* (this: Map<unknown, unknown>) {
    for (const entry of { [Symbol.iterator]: () => iterate.call(this) }) {
      looks++;
      yield entry;
    }
    return undefined;
  } as typeof iterate;
  try {
    run();
  } finally {
    Map.prototype[Symbol.iterator] = Map.prototype.entries = iterate;
  }
  return looks;
}
