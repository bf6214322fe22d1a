import type { JsonSchema } from '../schema/json-schema.js';
import { outputWriter } from '../serialiser/output-writer.js';
import { currentCheck, type ValueSource } from './check-budget.js';
import { validatorFor } from './validator.js';

/** Each of 26 levels uses the next one twice, so that a walk along all paths has 67 million ends. */
const LEVELS = 26;

function doubled(make: (next: JsonSchema) => JsonSchema, last: JsonSchema): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`L${LEVELS}`]: last };
  for (let level = 0; level < LEVELS; level++) $defs[`L${level}`] = make({ $ref: `#/$defs/L${level + 1}` });
  return { $ref: '#/$defs/L0', $defs };
}

const never = false as unknown as JsonSchema;
const ways: [string, (next: JsonSchema) => JsonSchema][] = [
  ['anyOf', (next) => ({ anyOf: [next, next] })],
  ['oneOf', (next) => ({ oneOf: [{ allOf: [next, never] }, next] })],
  ['allOf', (next) => ({ allOf: [next, next] })],
  ['not', (next) => ({ allOf: [{ not: { not: next } }, { not: { not: next } }] })],
  ['if', (next) => ({ if: next, then: next, else: next })],
  ['dependentSchemas', (next) => ({ dependentSchemas: { a: next }, allOf: [next] })],
  ['properties and patterns', (next) => ({ properties: { a: next }, patternProperties: { a: next } })],
  ['unevaluatedProperties', (next) => ({ anyOf: [next, next], unevaluatedProperties: false })],
  ['forgotten problems', (next) => ({ anyOf: [{ allOf: [{ anyOf: [next, {}] }, never] }, next, next] })],
];

const sources: ValueSource[] = ['caller', 'method'];

/** The value of all levels, for schemas whose levels are those of the value. */
const nested = (innermost: unknown): unknown =>
  Array.from({ length: LEVELS }).reduce((inner) => ({ a: inner }), innermost);

describe.each(sources)('a value of a %s', (source) => {
  test.each(ways)('is checked in few steps by doubled %s, whether it is right or wrong', (way, make) => {
    const last: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const validate = validatorFor(doubled(make, last), source);
    const whole = (value: unknown) => (way === 'properties and patterns' ? nested(value) : value);
    expect(validate(whole({ a: 'x' }))).toBeUndefined();
    expect(currentCheck.steps).toBeLessThan(110_000);
    expect(validate(whole({ a: 1 }))).toHaveLength(1);
    expect(currentCheck.steps).toBeLessThan(1_100_000);
  });

  test('is checked in few steps by doubled references that are dynamic', () => {
    const $defs: Record<string, JsonSchema> = {
      [`L${LEVELS}`]: { $dynamicAnchor: `L${LEVELS}`, type: 'string' },
    };
    for (let level = 0; level < LEVELS; level++) {
      const next = { $dynamicRef: `#L${level + 1}` };
      $defs[`L${level}`] = { $dynamicAnchor: `L${level}`, anyOf: [next, next] };
    }
    const validate = validatorFor({ $ref: '#L0', $defs }, source);
    expect(validate('x')).toBeUndefined();
    expect(validate(1)).toHaveLength(1);
    expect(currentCheck.steps).toBeLessThan(1_100_000);
  });

  test('is checked in few steps by levels that ask what the levels inside have described', () => {
    let schema: JsonSchema = { properties: { a: { type: 'string' } } };
    for (let level = 0; level < 200; level++)
      schema = { anyOf: [schema, { type: 'null' }], unevaluatedProperties: false };
    const validate = validatorFor(schema, source);
    expect(validate({ a: 'x' })).toBeUndefined();
    expect(currentCheck.steps).toBeLessThan(1_000);
    expect(validate({ a: 'x', b: 1 })).not.toBeUndefined();
  });

  test('is refused with a reason if all parts of a large schema read all parts of it', () => {
    const allOf = Array.from({ length: 2_000 }, (_, index) => ({ minimum: -index }));
    const validate = validatorFor({ type: 'array', items: { allOf } }, source);
    expect(validate(Array<number>(25).fill(1))).toBeUndefined();
    expect(validate(Array<number>(2_000).fill(1))).toMatchObject([
      { pointer: '', expected: expect.stringContaining('it would take too long to check') },
    ]);
    expect(currentCheck.steps).toBeLessThan(source === 'caller' ? 65_000 : 1_300_000);
  });

  test('is refused with a reason by a reference that leads to itself', () => {
    expect(validatorFor({ $ref: '#' }, source)(1)).toMatchObject([
      { expected: expect.stringContaining('it would take too long to check') },
    ]);
  });
});

test('a value of a stranger takes no more steps because it is long, and few for each of its parts are not too many', () => {
  const allOf = Array.from({ length: 90 }, (_, index) => ({ minimum: -index }));
  const numbers = Array<number>(40_000).fill(1);
  expect(validatorFor({ items: { allOf } }, 'method')(numbers)).toBeUndefined();
  expect(validatorFor({ items: { allOf } }, 'caller')(numbers)).not.toBeUndefined();
  expect(currentCheck.steps).toBeLessThan(210_000);
  expect(validatorFor({ items: { allOf: allOf.slice(0, 3) } }, 'caller')(numbers)).toBeUndefined();
  expect(
    validatorFor({ items: { allOf: allOf.slice(0, 5) } }, 'caller')(numbers.slice(0, 8_500)),
  ).toBeUndefined();
});

test('a check whose single steps take long has fewer of them', () => {
  const times = Array<string>(40_000).fill('2026-01-01T00:00:00Z');
  const format = { items: { format: 'date-time' } };
  const timed = outputWriter(format, { undeclared: 'keep', isForeign: true });
  expect(() => timed(times)).toThrow('it would take too long to check');
  expect(timed(times.slice(0, 12_000)).json).toHaveLength(12_000 * 23 + 1);
  expect(validatorFor(format, 'caller')(times)).toBeUndefined();
  const money = validatorFor({ items: { multipleOf: 0.01 } }, 'caller');
  expect(money(Array<number>(40_000).fill(19.99))).not.toBeUndefined();
  expect(money(Array<number>(6_000).fill(19.99))).toBeUndefined();
});

describe('a value of another server', () => {
  const heavy: JsonSchema = {
    type: 'object',
    properties: {
      all: {
        type: 'array',
        items: { allOf: Array.from({ length: 90 }, (_, index) => ({ not: { maximum: -index - 1 } })) },
      },
    },
  };
  const writer = (schema: JsonSchema, isForeign: boolean) =>
    outputWriter(schema, { undeclared: 'keep', isForeign });
  const all = Array<number>(10_000).fill(1);

  test('has one budget for the checks of all its parts', () => {
    expect(writer(heavy, false)({ all }).json).toBe(JSON.stringify({ all }));
    const before = currentCheck.number;
    expect(() => writer(heavy, true)({ all })).toThrow('it would take too long to check');
    expect(currentCheck.number - before).toBe(1);
    expect(currentCheck.steps).toBeLessThan(110_000);
    expect(currentCheck.value).toBeUndefined();
  });

  test('is read twice at most, to say what is wrong with it', () => {
    const absent: JsonSchema = { contains: { contains: { contains: { const: 1 } } } };
    const zeros = Array.from({ length: 200 }, () =>
      Array.from({ length: 15 }, () => Array<number>(15).fill(0)),
    );
    const write = writer({ type: 'object', properties: { all: absent } }, true);
    expect(() => write({ all: zeros })).toThrow('all[0][0][0]: expected 1');
    // Each of 48,201 parts twice, and what is recorded.
    expect(currentCheck.steps).toBeLessThan(100_000);
  });

  test('is written if it is long and its schema is usual, and the next value has a full budget', () => {
    const write = writer(heavy, true);
    const few = { all: all.slice(0, 300) };
    for (let time = 0; time < 5; time++) expect(write(few).json).toBe(JSON.stringify(few));
    const row: JsonSchema = {
      type: 'object',
      properties: { id: { type: 'integer' }, at: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
    };
    const rows = Array.from({ length: 16_000 }, (_, id) => ({ id, at: null }));
    expect(writer({ type: 'array', items: row }, true)(rows).json).toBe(JSON.stringify(rows));
    expect(writer({ type: 'array', items: row, contains: row, uniqueItems: true }, true)(rows).json).toBe(
      JSON.stringify(rows),
    );
  });
});

test('what is wrong with each of thousands of alternatives is not recorded', () => {
  const anyOf = Array.from({ length: 2_900 }, (_, at) => ({ const: at }));
  const validate = validatorFor({ items: { anyOf } }, 'caller');
  expect(validate([...Array<number>(20_000).fill(0), -1])).toMatchObject([
    { pointer: '/20000', keyword: 'anyOf', expected: expect.stringMatching(/^0, 1, 2, 3/) },
  ]);
  expect(currentCheck.steps).toBeLessThan(50_000);
});

test('items that are not what a list must contain are counted, and few of them are recorded', () => {
  const deep = validatorFor({ contains: { contains: { contains: { const: 1 } } } }, 'method');
  const zeros = Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => Array<number>(40).fill(0)));
  const problems = deep(zeros)!;
  expect(problems.map(({ keyword }) => keyword)).toContain('contains');
  expect(currentCheck.steps).toBeLessThan(200_000);
  expect(validatorFor({ contains: { const: 1 } }, 'caller')(Array<number>(10_000).fill(0))).toContainEqual(
    expect.objectContaining({ pointer: '', keyword: 'contains' }),
  );
});

test('the verdicts of a long result are not kept, because each of its parts is read once', () => {
  const rows: JsonSchema = {
    type: 'array',
    items: { $ref: '#/$defs/row' },
    $defs: {
      row: { type: 'object', properties: { id: { type: 'integer' }, next: { $ref: '#/$defs/row' } } },
    },
  };
  const validate = validatorFor(rows, 'method');
  const many = Array.from({ length: 60_000 }, (_, id) => ({ id, next: { id } }));
  expect(validate(many)).toBeUndefined();
  expect(currentCheck).toMatchObject({ steps: 360_001, remembers: false });
  expect(validate([...many, { id: 'x' }])).toMatchObject([{ pointer: '/60000/id' }]);
});
