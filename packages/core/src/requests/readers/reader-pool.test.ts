import { FakeClock } from '../../../test/support/fake-clock.js';
import { ReaderPool, type SlowReader } from './reader-pool.js';

const LIMIT = 1_000;
let clock: FakeClock;
let pool: ReaderPool;
let cut: string[];
beforeEach(() => {
  clock = new FakeClock();
  pool = new ReaderPool();
  cut = [];
});

/** A reader for which `bytes` wait, as one message. */
function reader(name: string, owner: string, bytes: number) {
  const self: SlowReader & { messages: number } = {
    owner,
    clock,
    maxUnreadBytes: LIMIT,
    messages: 1,
    cut() {
      cut.push(name);
      pool.note(self, 0, false);
    },
  };
  pool.note(self, bytes, false);
  return self;
}

it('cuts nobody while little waits, however slowly it reads', async () => {
  reader('stopped', 'alice', 400);
  await clock.advance(3_600_000);
  expect([cut, clock.pending]).toEqual([[], 0]);
});

it('keeps a message of any size for a reader that takes it', async () => {
  const fast = reader('fast', 'alice', 100 * LIMIT);
  for (let left = 99; left >= 0; left--) {
    await clock.advance(4_000);
    pool.note(fast, left * LIMIT, true);
  }
  expect(cut).toEqual([]);
  await clock.advance(2_000);
  expect(clock.pending).toBe(0);
});

it('cuts readers that have taken nothing for a time while much waits, and no others', async () => {
  reader('stopped', 'alice', 300);
  const slow = reader('slow', 'alice', 300);
  reader('of another caller', 'bob', 100);
  for (let left = 300; left > 220; left -= 10) {
    await clock.advance(1_000);
    pool.note(slow, left, true);
  }
  expect(cut).toEqual(['stopped']);
});

it('looks again as long as much waits', async () => {
  reader('first', 'alice', 700);
  await clock.advance(3_000);
  reader('second', 'bob', 60);
  await clock.advance(10_000);
  expect([cut, clock.pending]).toEqual([['first'], 0]);
});

it('cuts the reader that has taken nothing for longest when the limit is reached, at once', async () => {
  const first = reader('first', 'alice', 300);
  reader('second', 'bob', 300);
  await clock.advance(1);
  pool.note(first, 250, true);
  reader('third', 'carol', 600);
  expect(cut).toEqual(['second']);
});

it('begins with the readers of a caller that has more than its share', async () => {
  reader('of bob', 'bob', 200);
  await clock.advance(1);
  reader('of alice', 'alice', 300);
  reader('of alice, too', 'alice', 300);
  reader('of carol', 'carol', 300);
  expect(cut).toEqual(['of alice']);
});

it('may cut the reader that is written to, from its second message on', () => {
  const flooded = reader('flooded', 'alice', LIMIT + 1);
  expect(cut).toEqual([]);
  flooded.messages = 2;
  pool.note(flooded, LIMIT + 2, false);
  expect(cut).toEqual(['flooded']);
});
