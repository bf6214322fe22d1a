import * as fc from 'fast-check';
import { type Compared, compareValues } from './compare-values.js';
import { IdPairs } from './id-pairs.js';

const HOUR = 3_600_000;
const recordedAt = Date.parse('2026-03-01T10:00:00Z');
const replayedAt = Date.parse('2026-06-01T10:00:00Z');

function compare(was: unknown, is: unknown, ignored: string[] = [], ids = new IdPairs()): Compared {
  ids.see(was, is, 'page');
  const moments = { recorded: recordedAt, replayed: replayedAt };
  return compareValues(was, is, { ids, moments, family: 'page', ignored: new Set(ignored) });
}
const paths = (was: unknown, is: unknown, ignored?: string[]) =>
  compare(was, is, ignored).differences.map(({ path, words }) => words ?? path);

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

test.each([
  ['other ids', { id: uuid(1), list: [uuid(2)] }, { id: uuid(3), list: [uuid(4)] }],
  ['ids in capitals', ['ABCDEF01-0000-4000-8000-000000000000'], ['ABCDEF02-0000-4000-8000-000000000000']],
  ['ids in a text', `Page ${uuid(1)}, again ${uuid(1)}.`, `Page ${uuid(2)}, again ${uuid(2)}.`],
  [
    'ids in an address',
    'https://a.example/pages/64b7f0c2e13f5a0012345678',
    'https://a.example/pages/64b7f0c2e13f5a0087654321',
  ],
  [
    'numbers named as ids',
    { _id: 73607398, creatorRef: { $id: 7, userId: 1 } },
    { _id: 8, creatorRef: { $id: 7, userId: 12 } },
  ],
  [
    'the reference of an internal error',
    'Internal error (ref 0123456789).',
    'Internal error (ref abcdef0123).',
  ],
  ['the moment of the call', { at: '2026-03-01T10:00:01.123Z' }, { at: '2026-06-01T10:00:07Z' }],
  [
    'the moment as a number',
    { at: recordedAt + 5, s: recordedAt / 1_000 },
    { at: replayedAt + 9, s: replayedAt / 1_000 + 1 },
  ],
  ['a month from now', { end: '2026-04-01T10:00:00Z' }, { end: '2026-07-02T10:00:00Z' }],
  ['JSON in a text, with its members in another order', '{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
])('%s are no difference', (_name, was, is) => expect(paths(was, is)).toEqual([]));

test.each([
  ['an id that becomes two', [uuid(1), uuid(1)], [uuid(2), uuid(3)], ['/1']],
  ['two ids that become one', [uuid(1), uuid(2)], [uuid(3), uuid(3)], ['/1']],
  [
    'the same ids in another order',
    [uuid(1), uuid(2)],
    [uuid(2), uuid(1)],
    ['the same items in another order'],
  ],
  [
    'an appointment that moved',
    { start: '2026-12-24T18:00:00Z' },
    { start: '2026-12-24T19:00:00Z' },
    ['/start'],
  ],
  ['a birthday', { born: '1990-01-02' }, { born: '1990-01-03' }, ['/born']],
  ['a number that only looks like a moment', { size: 1_500_000_000 }, { size: 1_500_000_001_000 }, ['/size']],
  ['nothing that becomes null', { a: 1 }, { a: 1, b: null }, ['/b']],
  ['a member that is gone', { a: 1, 'x/y': 2 }, { a: 1 }, ['/x~1y']],
  ['a number that becomes a text', { n: 1 }, { n: '1' }, ['/n']],
  ['an item at the end', [1], [1, 2], ['/1']],
  ['an item that is put in', ['a', 'b', 'c'], ['a', 'x', 'b', 'c'], ['/1']],
  ['items that are taken out', [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }], [{ n: 1 }, { n: 4 }], ['/1', '/2']],
  ['a list that becomes another one', [1, 2, 3], [7, 8], ['3 items became 2', '/0', '/1', '/2']],
])('%s is a difference', (_name, was, is, expected) => expect(paths(was, is)).toEqual(expected));

test('a moment is as far from its call as it was, and a minute is nothing', () => {
  const late = (ms: number) => ({ end: new Date(replayedAt + 30 * 24 * HOUR + ms).toISOString() });
  const was = { end: new Date(recordedAt + 30 * 24 * HOUR).toISOString() };
  expect(paths(was, late(50_000))).toEqual([]);
  expect(paths(was, late(HOUR))).toEqual(['/end']);
});

test('members that are ignored are so at any depth, and hidden ones are counted', () => {
  const was = { a: [{ took: 1, b: '[sensitive]' }], c: 'pin [sensitive] sent' };
  expect(compare(was, { a: [{ took: 2, b: 'x' }], c: 'pin 1234 sent' }, ['took'])).toMatchObject({
    differences: [],
    hidden: 2,
  });
});

test('an id of a call that was sent again is the same in its answer', () => {
  const ids = new IdPairs();
  ids.pin({ pageId: uuid(1) }, 'page');
  expect(compare({ id: uuid(1) }, { id: uuid(2) }, [], ids).differences).toHaveLength(1);
});

test('a short id is that of its own kind of thing', () => {
  const ids = new IdPairs();
  compare([{ pageId: 1 }, { userId: 1 }], [{ pageId: 7 }, { userId: 1 }], [], ids);
  // What page 1 has become says nothing of user 1, and nothing of the order 1.
  expect(ids.translate({ pageId: 1, userId: 1, limit: 1 }, 'order')).toEqual({
    pageId: 7,
    userId: 1,
    limit: 1,
  });
  expect(ids.translate({ id: 1 }, 'order')).toEqual({ id: 1 });
  expect(ids.translate({ id: 1 }, 'page')).toEqual({ id: 7 });
  expect([ids.isDoubtful({ id: 1 }, 'page'), ids.isDoubtful({ pageId: 1 }, 'page')]).toEqual([true, false]);
});

test('a value is the same as itself, and its differences to another one are found from both sides', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(compare(a, a).differences).toEqual([]);
      const [there, back] = [compare(a, b).differences.length, compare(b, a).differences.length];
      expect(there > 0).toBe(back > 0);
    }),
    { numRuns: 500, seed: 65 },
  );
});

test('any change of one number in a result is found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.string(), total: fc.integer({ min: 0, max: 1e6 }) }), { minLength: 1 }),
      (rows) => {
        const changed = structuredClone(rows);
        changed.at(-1)!.total += 1;
        expect(compare({ rows }, { rows: changed }).differences.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 500, seed: 65 },
  );
});

test('lists of other lengths inside of each other take no time that grows with each level', () => {
  const nested = (items: unknown[]) => Array.from({ length: 40 }).reduce((inner) => [inner, ...items], 1);
  // Without a bound, this would be 3 to the 40th comparisons.
  expect(compare(nested([1]), nested([2, 3])).differences.length).toBeGreaterThan(0);
});
