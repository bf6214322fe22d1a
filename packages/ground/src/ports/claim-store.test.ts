import type { Clock } from './clock-and-ids.js';
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

describe('one owner has a share of the room', () => {
  const ann = { anonymous: false, key: 'ann' };
  const address = (key: string) => ({ anonymous: true, key });
  const fill = (store: MemoryClaimStore, owner: typeof ann, most = 100) =>
    Array.from({ length: most }, (_, index) =>
      store.claim(`${owner.key} ${index} ${now}`, 500, owner),
    ).filter(Boolean).length;

  test('of a tenth, and anonymous ones together of a half, so that others find room', () => {
    const store = new MemoryClaimStore(clock, 100);
    expect(fill(store, ann)).toBe(10);
    expect(Array.from({ length: 8 }, (_, index) => fill(store, address(`ip ${index}`)))).toEqual([
      10, 10, 10, 10, 10, 0, 0, 0,
    ]);
    expect(fill(store, { anonymous: false, key: 'bob' })).toBe(10);
  });

  test('which it has again when its claims have ended or were given back', () => {
    const store = new MemoryClaimStore(clock, 100);
    fill(store, ann);
    expect([
      store.release('ann 0 0'),
      store.claim('more', 500, ann),
      store.claim('even more', 500, ann),
    ]).toEqual([true, true, false]);
    now = 2_000;
    expect(fill(store, ann)).toBe(10);
  });
});
