import fc from 'fast-check';
import { leftInOldGeneration } from '../../../../.ci/test/support/left-in-old-generation.js';
import { canonicalJson, copyData, keepNewest, numberText, present } from './json-values.js';

/** The same value with the keys of all objects in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
};

test('canonical JSON is JSON of the same value, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed = JSON.parse(JSON.stringify(value)) as unknown;
      expect(JSON.parse(canonicalJson(parsed))).toEqual(parsed);
      expect(canonicalJson(reversed(parsed))).toBe(canonicalJson(parsed));
    }),
  );
});

test.each<[string, unknown]>([
  ['a date', { at: new Date(0) }],
  ['what says itself what it is', { a: { b: 1, toJSON: () => ({ d: 2, c: 1 }) } }],
  ['members without a value', { a: undefined, b: () => 1, c: [undefined, Symbol('s')], d: Number.NaN }],
  [
    'instances',
    {
      a: new (class Point {
        y = 1;
        x = 2;
      })(),
      b: new Map([[1, 2]]),
      c: Object('text'),
    },
  ],
])('canonical JSON of %s equals that of its JSON form', (_, value) => {
  expect(canonicalJson(value)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
});

test('keys have the order of RFC 8785', () => {
  const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
  expect(canonicalJson(value)).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  );
});

test('the text of a number is its JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.integer()), (value) =>
      expect(numberText(value)).toBe(JSON.stringify(value)),
    ),
  );
});

test('texts of numbers leave nothing for full collections', () => {
  // As `String(...)`, they leave 24 bytes each.
  expect(leftInOldGeneration((index) => numberText(index + 1 / 3))).toBeLessThan(4);
});

test('an object loses its members that are undefined, and no others', () => {
  const made = present({ a: 1, b: undefined, c: null, d: 0, e: '', ['__proto__']: 'data' });
  expect(Object.entries(made)).toEqual([
    ['a', 1],
    ['c', null],
    ['d', 0],
    ['e', ''],
    ['__proto__', 'data'],
  ]);
});

test('a map with a bound loses what was set longest ago', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  keepNewest(map, 'a', 3, 2);
  keepNewest(map, 'c', 4, 2);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

describe('a copy of arguments', () => {
  /** Every object of a value, each once. */
  const objectsIn = (value: unknown, found = new Set<object>()): Set<object> => {
    if (typeof value !== 'object' || value === null || found.has(value)) return found;
    found.add(value);
    for (const part of value instanceof Map ? [...value].flat() : Object.values(value))
      objectsIn(part, found);
    return found;
  };

  test('equals them and has none of their objects', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const copy = copyData(value);
        expect(copy).toEqual(value);
        const own = objectsIn(value);
        expect([...objectsIn(copy)].filter((each) => own.has(each))).toEqual([]);
      }),
    );
  });

  test.each([3, 100])('has a value that is in several places once, beside %i others', (others) => {
    const shared = { at: new Date(0) };
    const given: Record<string, unknown> = { many: Array.from({ length: others }, () => [{}]), one: shared };
    Object.assign(given, { two: new Map([[shared, shared]]), self: given });
    const copy = copyData(given);
    expect(copy['self']).toBe(copy);
    expect(copy['one']).not.toBe(shared);
    expect([...(copy['two'] as Map<object, object>)]).toEqual([[copy['one'], copy['one']]]);
    expect([...(copy['two'] as Map<object, object>).keys()][0]).toBe(copy['one']);
  });

  test('has a member "__proto__" as data', () => {
    const copy = copyData(JSON.parse('{"__proto__":{"admin":[true]}}') as object);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":[true]}}');
    expect((copy as { admin?: unknown }).admin).toBeUndefined();
  });
});
