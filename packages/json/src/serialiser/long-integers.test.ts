import type { JsonSchema } from '../schema/json-schema.js';
import { exactWriter } from './exact-writer.js';
import { outputWriter } from './output-writer.js';

const ID = 9007199254740993n;
const HUGE = BigInt(`1${'0'.repeat(400)}`) + 1n;

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const [whole, number, text]: JsonSchema[] = [{ type: 'integer' }, { type: 'number' }, { type: 'string' }];
const either: JsonSchema = { type: ['integer', 'string'] };

function write(schema: JsonSchema, value: unknown): string[] {
  return (['drop', 'keep', 'refuse'] as const).flatMap((undeclared) => [
    exactWriter(schema, { undeclared })(value).json,
    outputWriter(schema, { undeclared })(value).json,
  ]);
}

test.each<[string, JsonSchema, unknown, string]>([
  ['an integer', whole!, ID, `${ID}`],
  ['a number', number!, -ID, `-${ID}`],
  ['digits as text', whole!, String(ID), `${ID}`],
  ['one beyond all doubles', whole!, HUGE, `${HUGE}`],
  ['either', either, ID, `"${ID}"`],
  ['a text', text!, ID, `"${ID}"`],
  ['anything', {}, ID, `"${ID}"`],
  [
    'members',
    object({ a: whole!, 'b/c': either, d: text! }),
    { a: ID, 'b/c': ID, d: ID },
    `{"a":${ID},"b/c":"${ID}","d":"${ID}"}`,
  ],
  ['items', { type: 'array', items: whole! }, [1, ID, 3n, ID], `[1,${ID},3,${ID}]`],
  [
    'many items beside texts',
    object({ ids: { type: 'array', items: whole! }, code: text! }),
    { ids: Array(6_000).fill(ID), code: ID },
    `{"ids":[${Array(6_000).fill(ID).join()}],"code":"${ID}"}`,
  ],
  ['a tuple', { type: 'array', prefixItems: [whole!, text!] }, [ID, ID], `[${ID},"${ID}"]`],
  ['a map', { type: 'object', additionalProperties: whole! }, { ['__proto__x']: ID }, `{"__proto__x":${ID}}`],
  [
    'an alternative',
    {
      anyOf: [
        object({ kind: { const: 'a' }, id: whole! }, { required: ['kind'] }),
        object({ kind: { const: 'b' }, id: text! }, { required: ['kind'] }),
      ],
    },
    { kind: 'a', id: ID },
    `{"kind":"a","id":${ID}}`,
  ],
  [
    'alternatives of no mark',
    { oneOf: [object({ a: whole! }, { required: ['a'] }), object({ b: whole! }, { required: ['b'] })] },
    { b: ID },
    `{"b":${ID}}`,
  ],
  ['a bound', { type: 'integer', minimum: 1 }, ID, `${ID}`],
])('%s: a long integer leaves as its schema takes it', (_name, schema, value, expected) => {
  for (const each of write(schema, value)) expect(each).toBe(expected);
});

test.each<[string, JsonSchema, unknown]>([
  ['a bound that it breaks', { type: 'integer', maximum: 5 }, ID],
  ['a truth value', { type: 'boolean' }, ID],
  ['digits that a number holds', whole!, '5'],
  ['leading zeros', whole!, '00000000000000000005'],
  ['another problem beside it', object({ a: whole!, b: { type: 'boolean' } }), { a: ID, b: 1 }],
])('%s is refused as before', (_name, schema, value) => {
  expect(() => exactWriter(schema, { undeclared: 'drop' })(value)).toThrow('does not fit its output schema');
});

test('parts that no schema declares are left out beside it', () => {
  const value = { a: ID, more: ID };
  expect(exactWriter(object({ a: whole! }), { undeclared: 'drop' })(value).json).toBe(`{"a":${ID}}`);
  const closed = object({ a: whole! }, { additionalProperties: false });
  expect(exactWriter(closed, { undeclared: 'drop' })(value).json).toBe(`{"a":${ID}}`);
});
