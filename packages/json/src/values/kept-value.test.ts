import fc from 'fast-check';
import { fromKept, toKept } from './kept-value.js';

const again = (value: unknown) => fromKept(JSON.parse(JSON.stringify(toKept(value))));

test.each([
  5n,
  { id: 9007199254740993n, list: [1n, undefined, NaN, -Infinity] },
  new Date(5),
  new Map<unknown, unknown>([
    ['a', 1n],
    [{ b: 1 }, new Set([new Date(7)])],
  ]),
  new Uint8Array([0, 255]),
  Buffer.from('ä'),
  new URL('https://a.example/?q=1'),
  undefined,
  null,
  { '~kind': 'bigint', value: 'no number' },
  { '~kind': { '~kind': 1n } },
  JSON.parse('{"__proto__":{"a":1}}') as object,
])('%o is the same again', (value) => {
  expect(again(value)).toStrictEqual(value);
});

test('every value of JSON is the same again, and is kept as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as unknown;
      expect(again(read)).toStrictEqual(read);
      if (!JSON.stringify(read)?.includes('~kind')) expect(toKept(read)).toStrictEqual(read);
    }),
  );
});

test('an instance is what it was before: its members, or what it makes of itself', () => {
  class Row {
    id = 1n;
    at = undefined;
  }
  expect(again(new Row())).toEqual({ id: 1n });
  expect(again({ toJSON: () => ({ id: 2n }) })).toEqual({ id: 2n });
});

test('a value that contains itself is refused', () => {
  const value: unknown[] = [];
  value.push(value);
  expect(() => toKept(value)).toThrow('contains itself');
});
