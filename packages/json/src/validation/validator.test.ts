import { EMAIL_END } from '../constraints/pattern-words.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { validatorFor } from './validator.js';

const text = (keywords: object): JsonSchema => ({
  type: 'object',
  properties: { text: { type: 'string', ...keywords } },
});
const validate = validatorFor(text({ maxLength: 5, pattern: '^a*a*b$' }), 'caller');

test('all problems of a short text are reported', () => {
  expect(validate({ text: 'x'.repeat(100) })).toHaveLength(2);
});

test('a problem that a format and a pattern find is told once', () => {
  const email = validatorFor(text({ format: 'email', pattern: EMAIL_END }), 'caller');
  expect(email({ text: 'nobody' })).toEqual([
    expect.objectContaining({ expected: 'an e-mail address such as "name@example.com"' }),
  ]);
});

test('maxLength keeps a long text away from the pattern beside it', () => {
  expect(validate({ text: 'a'.repeat(1_000_000) })).toHaveLength(1);
});

test.each([
  [{ pattern: '\\s+$' }, ' '.repeat(100_000) + 'x'],
  [{ pattern: '^(.*),(.*)$' }, ','.repeat(100_000) + '\n'],
  [{ format: 'url' }, 'http://a' + '::'.repeat(50_000)],
])('no length of text keeps %j busy for long', (keywords, value) => {
  const [problem] = validatorFor(text(keywords), 'caller')({ text: value })!;
  expect(problem!.expected).toContain('it would take too long to tell');
});

test('many texts share one budget, which is full again for the next value', () => {
  const schema: JsonSchema = { type: 'array', items: { type: 'string', pattern: '\\s+$' } };
  const texts = validatorFor(schema, 'caller');
  const some = Array<string>(10).fill('x '.repeat(450));
  for (let turn = 0; turn < 3; turn++) expect(texts(some)).toBeUndefined();
  expect(texts(Array<string>(1_000).fill('x '.repeat(450)))).toHaveLength(1);
});

test('a condition that cannot be checked to its end lets nothing pass', () => {
  const long = ' '.repeat(100_000) + 'x';
  for (const branches of [{ then: false }, { then: false, else: true }] as object[]) {
    const schema: JsonSchema = { if: { pattern: '\\s+$' }, ...branches };
    expect(validatorFor(schema, 'caller')(long)).toHaveLength(1);
    expect(validatorFor(schema, 'caller')('x')).toBeUndefined();
    expect(validatorFor(schema, 'caller')('x ')).toHaveLength(1);
  }
});

test('linear patterns accept texts of any length, and results of methods are never too long', () => {
  const long = 'a'.repeat(500_000);
  expect(validatorFor(text({ pattern: '^[a-z]+$' }), 'caller')({ text: long })).toBeUndefined();
  expect(validatorFor(text({ pattern: '\\S$' }), 'caller')({ text: long })).toBeUndefined();
  expect(validatorFor(text({ pattern: '[a-z]+$' }), 'method')({ text: long })).toBeUndefined();
  expect(validatorFor(text({ pattern: '[a-z]+$' }), 'method')({ text: `${long}!` })).toBeUndefined();
  expect(validatorFor(text({ pattern: '[a-z]+$' }), 'method')({ text: 'a!' })).toHaveLength(1);
});

test('equal items are found among as many items as a body can contain', () => {
  const schema: JsonSchema = { type: 'array', uniqueItems: true, items: { type: 'object' } };
  const items = validatorFor(schema, 'caller');
  const different = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  expect(items(different)).toBeUndefined();
  expect(items([...different, { index: 7 }])).toHaveLength(1);
  expect(
    items([
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ])![0]!.expected,
  ).toBe('no two equal items, but items 0 and 1 are');
  expect(items([{ a: 1 }, { a: '1' }])).toBeUndefined();
});

describe('alternatives that refer to each other', () => {
  const branch = (op: string): JsonSchema => ({
    type: 'object',
    properties: { left: { $ref: '#/$defs/expression' }, op: { const: op } },
    required: ['op'],
  });
  const expressions = validatorFor(
    {
      $defs: { expression: { anyOf: [branch('and'), branch('or'), { type: 'number' }] } },
      $ref: '#/$defs/expression',
    },
    'caller',
  );
  const nested = (levels: number, innermost: unknown): unknown =>
    levels === 0 ? innermost : { left: nested(levels - 1, innermost), op: 'or' };

  test('are checked to the depth that messages may have', () => {
    expect(expressions(nested(10, 1))).toBeUndefined();
    expect(expressions(nested(3, 'x'))!.length).toBeGreaterThan(0);
  });

  test('do not keep the process busy, however deep the problem is', () => {
    expect(expressions(nested(60, 'x'))![0]!.expected).toContain('less nested value');
    expect(expressions(nested(2, 1))).toBeUndefined();
  });
});

test('of many values that match no alternative, the first one is reported', () => {
  const union: JsonSchema = {
    type: 'array',
    items: {
      anyOf: [
        { type: 'string', minLength: 3 },
        { type: 'object', required: ['a'] },
      ],
    },
  };
  const values = validatorFor(union, 'caller');
  expect(values(Array<unknown>(3).fill('x'))).toHaveLength(3);
  expect(new Set(values(Array<unknown>(4_000).fill('x'))!.map(({ pointer }) => pointer))).toEqual(
    new Set(['/0']),
  );
});
