import type { JsonSchema } from '../schema/json-schema.js';
import { validatorFor } from './validator.js';

/** A schema that counts how often its keywords are read. */
function counted(schema: JsonSchema): { schema: JsonSchema; reads: () => number } {
  let reads = 0;
  const get = (target: JsonSchema, keyword: string): unknown => {
    reads++;
    return target[keyword];
  };
  return { schema: new Proxy(schema, { get: get as never }), reads: () => reads };
}

const tagged = (tag: string): JsonSchema => ({
  type: 'object',
  properties: { tag: { const: tag } },
  required: ['tag'],
});
const unions: [string, JsonSchema, unknown][] = [
  ['oneOf', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 1],
  ['anyOf', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 1],
  ['oneOf of objects', { oneOf: [tagged('a'), tagged('b')] }, { tag: 'b' }],
  ['allOf', { allOf: [{ type: 'number' }, { minimum: 1 }] }, 1],
  ['not', { not: { type: 'null' } }, 1],
];
const holders: [string, (part: JsonSchema) => JsonSchema, (values: unknown[]) => unknown][] = [
  ['a list', (items) => ({ type: 'array', items }), (values) => values],
  [
    'a list or null',
    (items) => ({ anyOf: [{ type: 'array', items }, { type: 'null' }] }),
    (values) => values,
  ],
  ['a map', (part) => ({ type: 'object', additionalProperties: part }), (values) => ({ ...values })],
  [
    'names by pattern',
    (part) => ({ type: 'object', patternProperties: { '^': part } }),
    (values) => ({ ...values }),
  ],
];

describe.each(holders)('for %s, the schema is read at most twice for each value', (_, holding, make) => {
  test.each(unions)('%s', (_, part, right) => {
    const readsFor = (length: number) => {
      const { schema, reads } = counted(part);
      const problems = validatorFor(
        holding(schema),
        'caller',
      )(make([...Array<unknown>(length).fill(right), null]));
      expect(problems).toHaveLength(1);
      expect(problems![0]!.pointer).toBe(`/${length}`);
      return reads();
    };
    expect(readsFor(10_000) - readsFor(6_000)).toBeLessThanOrEqual(2 * 4_000);
  });
});

test.each([
  ['enum', { enum: Array.from({ length: 50 }, (_, tag) => ({ tag })) }],
  ['const', { const: { tag: 49 } }],
])(
  'an object is read once for each check of an %s, however many values are allowed',
  (_, schema: JsonSchema) => {
    let reads = 0;
    const value = {
      get tag() {
        reads++;
        return 49;
      },
    };
    expect(validatorFor(schema, 'caller')(value)).toBeUndefined();
    expect(reads).toBe(1);
  },
);

test('equal items are found among values of all kinds', () => {
  const items = validatorFor({ type: 'array', uniqueItems: true }, 'caller');
  expect(items([1, '1', true, 'true', null, 'null', [1], '[1]', { a: 1 }, '{"a":1}'])).toBeUndefined();
  for (const each of [1, '1', true, null, [1], { a: 1 }])
    expect(items([0, each, structuredClone(each)])).toHaveLength(1);
  expect(items([0, -0])).toHaveLength(1);
});

test('if one alternative was refused without a full check, no other counts as the only match', () => {
  const schema: JsonSchema = { oneOf: [{ type: 'object', required: ['a'], properties: { a: {} } }, {}] };
  const either = validatorFor(schema, 'method');
  expect(either({ a: 1, b: undefined })).toHaveLength(1);
  expect(either({ b: undefined })).toBeUndefined();
});

test.each<[string, JsonSchema, unknown]>([
  [
    'a name',
    { type: 'object', patternProperties: { '\\s+$': { type: 'number' } } },
    { [`${' '.repeat(100_000)}x`]: 'text' },
  ],
  ['what must not match', { not: { type: 'string', pattern: '\\s+$' } }, `${' x'.repeat(50_000)} `],
])('%s that takes too long to check is refused', (_, schema, value) => {
  expect(validatorFor(schema, 'caller')(value)).toHaveLength(1);
});
