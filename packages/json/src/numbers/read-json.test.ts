import fc from 'fast-check';
import { inexactNumbers } from './inexact-numbers.js';
import { LongInteger, hasLongDigits, holdsInteger, isBeyondSafe, readJson } from './read-json.js';

const huge = (digits: number) => `1${'0'.repeat(digits)}`;

/** Cases of public suites for JSON (JSONTestSuite, tests and reports of parsers that keep digits). */
const integersThatDoublesChange = [
  '9007199254740993',
  '-9007199254740993',
  '9196877626998785',
  '10038000307000729',
  '144380449412828603',
  '144188125506805060',
  '196643078539894907',
  '365247355169013770',
  '1234567890123456789',
  '1610521604143693812',
  '9223372036854775807',
  '18446744073709551615',
  '12345678901234567890',
  '123456789012345678901234567890',
  '-123123123123123123123123123123',
  '-237462374673276894279832749832423479823246327846',
  // 10^22 is the last power of ten that a double holds.
  huge(23),
  huge(308),
  huge(309),
  `-${huge(400)}`,
  '9'.repeat(1_000),
];

const numbersThatStay: [string, number][] = [
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', 2 ** 53],
  ['9007199254740994', 2 ** 53 + 2],
  ['9223372036854775808', 2 ** 63],
  ['100000000000000000000', 1e20],
  [huge(22), 1e22],
  ['-0', -0],
  ['0', 0],
  // Fractions and exponents are rounded as everywhere.
  ['0.1000000000000000055511151231257827', 0.1],
  ['0.66666666666666666667', 2 / 3],
  ['9007199254740993.0', 2 ** 53],
  ['123456789012345678e0', 123456789012345680],
  ['1e19', 1e19],
  ['1E+22', 1e22],
  ['123.456e-789', 0],
  ['1e-400', 0],
  ['-1e-400', -0],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['1e400', Infinity],
  ['-1E400', -Infinity],
  ['0.4e00669999999999999999999999999999', Infinity],
];

/** Places where a number may stand. */
const places: [string, (value: string) => string][] = [
  ['alone', (value) => value],
  ['between blanks', (value) => `\n ${value}\t`],
  ['in a list', (value) => `[1,${value} ,"x"]`],
  ['in an object', (value) => `{"a":{"b":${value}}}`],
  [
    'behind texts that look like JSON',
    (value) =>
      String.raw`{"9007199254740993":"\"9007199254740993\\","a\\":"\\\"","c":[${value},"[${value}]"]}`,
  ],
  ['as __proto__', (value) => `{"__proto__":${value}}`],
];

describe.each(places)('%s', (name, write) => {
  test.each(integersThatDoublesChange)('%s keeps its digits', (digits) => {
    const numbers = inexactNumbers(readJson(write(digits)), false);
    expect(numbers.map(({ value }) => [value instanceof LongInteger, String(value)])).toEqual([
      [true, digits],
    ]);
  });

  test.each(numbersThatStay)('%s is the number %d', (literal, number) => {
    const value = readJson(write(literal));
    expect(value).toEqual(JSON.parse(write(literal)));
    if (name === 'alone') expect(Object.is(value, number)).toBe(true);
  });
});

test.each(['9007199254740993 1', '[9007199254740993', '{9007199254740993:1}', '09007199254740993', '-'])(
  '%s is no JSON',
  (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  },
);

test('the first of two equal names does not count', () => {
  expect(readJson('{"a":9007199254740993,"a":1}')).toEqual({ a: 1 });
});

test('long digits are found wherever they begin, and shorter ones are none', () => {
  for (let before = 0; before < 40; before++)
    for (const length of [14, 15, 16, 17, 31, 33]) {
      const text = `${'x'.repeat(before)}${'7'.repeat(length)}`;
      for (const whole of [text, `${text}y`, `${text}${'z'.repeat(20)}`])
        expect([whole, hasLongDigits(whole)]).toEqual([whole, length >= 16]);
    }
});

test('no more long integers are kept than its reader asks for, and those that a double holds do not count', () => {
  const text = `[9007199254740992,${Array<string>(5).fill('9007199254740993').join()}]`;
  const kept = (most?: number) =>
    (readJson(text, most) as unknown[]).filter((each) => each instanceof LongInteger);
  expect([kept(1), kept(3), kept(5), kept()].map(({ length }) => length)).toEqual([1, 3, 5, 5]);
});

test('a million digits, and a million levels, take no more than their text', () => {
  const deep = 100_000;
  expect(String(readJson('7'.repeat(1_000_000)))).toHaveLength(1_000_000);
  const nested = readJson(`${'['.repeat(deep)}9007199254740993${']'.repeat(deep)}`);
  expect(nested).toBeInstanceOf(Array);
});

/** Without leading zeros: JSON has none. */
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

const integers = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 40 }))
  .map(([sign, value, digits]) => `${sign}${value % 10n ** BigInt(digits)}`);

/** JSON.stringify writes the shortest digits of a large double, and they are another integer. */
const others = fc
  .jsonValue()
  .map(
    (value) =>
      JSON.parse(JSON.stringify(value), (_, part: unknown) =>
        typeof part === 'number' && isBeyondSafe(part) ? 0.5 : part,
      ) as unknown,
  );

test('a value has the digits of its text, or its integer is one that a double holds', () => {
  const members = fc.array(fc.tuple(fc.string(), fc.oneof(integers, others)), { maxLength: 6 });
  fc.assert(
    fc.property(members, fc.constantFrom('', ' ', '\n\t'), (pairs, blank) => {
      const items = pairs.map(([key, value]) => {
        const text = typeof value === 'string' && INTEGER.test(value) ? value : JSON.stringify(value);
        return { key, text, isInteger: text === value };
      });
      const written = items
        .map(({ key, text }) => `${JSON.stringify(key)}${blank},${blank}${text}`)
        .join(',');
      const read = readJson(`[${written}]`) as unknown[];
      for (const [index, { key, text, isInteger }] of items.entries()) {
        expect(read[2 * index]).toBe(key);
        const value = read[2 * index + 1];
        if (!isInteger) expect(value).toEqual(JSON.parse(text));
        else if (value instanceof LongInteger) {
          expect(String(value)).toBe(text);
          expect(holdsInteger(text)).toBe(false);
        } else expect(BigInt(value as number)).toBe(BigInt(text));
      }
    }),
    { numRuns: 500 },
  );
});

test('another copy of this module, as each published package has one, knows its integers', () => {
  jest.isolateModules(() => {
    const copy = jest.requireActual<typeof import('./read-json.js')>('./read-json.js');
    expect(copy.LongInteger).not.toBe(LongInteger);
    const value = copy.readJson('{"id":9007199254740993}') as { id: unknown };
    expect(value.id).toBeInstanceOf(LongInteger);
    expect(readJson('9007199254740993')).toBeInstanceOf(copy.LongInteger);
    expect({}).not.toBeInstanceOf(LongInteger);
  });
});
