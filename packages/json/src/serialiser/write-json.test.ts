import fc from 'fast-check';
import { LongInteger, readJson } from '../numbers/read-json.js';
import { outputWriter } from './output-writer.js';
import { writeJson } from './json-text.js';
import { exactNumberText } from '../numbers/exact-number-text.js';

test.each<[unknown, string]>([
  [{ id: 2 ** 60 }, '{"id":1152921504606846976}'],
  [[-(2 ** 63), 2 ** 53, 2 ** 53 - 1], '[-9223372036854775808,9007199254740992,9007199254740991]'],
  [{ a: 1e21, b: 1e300, c: 0.1 }, '{"a":1e+21,"b":1e+300,"c":0.1}'],
  [{ text: '1152921504606846976', key: { '9007199254740993': 1 } }, ''],
  [
    { id: 5n, large: 2n ** 60n, map: new Map([['a', 1n]]) },
    '{"id":5,"large":"1152921504606846976","map":{"a":1}}',
  ],
  [{ half: '\ud83d', id: 2 ** 60 }, '{"half":"\ufffd","id":1152921504606846976}'],
  [
    [{ id: new LongInteger('-9007199254740993') }, '9007199254740993'],
    '[{"id":-9007199254740993},"9007199254740993"]',
  ],
  [{ left: undefined, not: NaN }, '{"not":null}'],
])('%o is written with all digits', (value, text) => {
  expect(writeJson(value)).toBe(text || JSON.stringify(value));
});

test('a value that contains itself is refused', () => {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  expect(() => writeJson(value)).toThrow('contains itself');
});

test('names and constants of a schema leave well formed', () => {
  const kind = { const: 'kind \ud83d' };
  const schema = { type: 'object', properties: { 'name \ud83d': kind }, required: ['name \ud83d'] };
  const { json } = outputWriter(schema, { undeclared: 'drop' })({ 'name \ud83d': kind.const });
  expect(json).toBe('{"name \ufffd":"kind \ufffd"}');
});

const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(Number),
);

test('an exact reader and one of doubles read the same numbers, from both writers of results', () => {
  const write = outputWriter({ type: 'array', items: { type: 'number' } }, { undeclared: 'drop' });
  fc.assert(
    fc.property(fc.array(doubles), (numbers) => {
      for (const text of [
        writeJson(numbers),
        write(numbers).json,
        `[${numbers.map(exactNumberText).join()}]`,
      ]) {
        expect(JSON.parse(text)).toEqual(numbers.map((each) => (Object.is(each, -0) ? 0 : each)));
        // A long integer is an object for this reader, and none is left.
        expect(readJson(text)).toEqual(JSON.parse(text));
      }
    }),
  );
});
