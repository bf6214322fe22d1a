import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonSchema } from '@toolwright/json';
import { compareSchemas, type Role } from './compare-schemas.js';

const copy = (schema: JsonSchema) => JSON.parse(JSON.stringify(schema)) as JsonSchema;

/** Few values and narrow limits, so that two random schemas often accept the same values. */
const small = fc.integer({ min: 0, max: 3 });
const limits = (...keywords: string[]) =>
  fc.record(Object.fromEntries(keywords.map((keyword) => [keyword, small])), { requiredKeys: [] });
const scalars = fc.constantFrom<unknown>('', 'a', 'ab', 'abc', 0, 1, 2.5, 3, true, false, null);

const schemas = fc
  .letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constant({}),
      limits('minLength', 'maxLength').map((rest) => ({ type: 'string', ...rest })),
      limits('minimum', 'maximum', 'exclusiveMinimum').map((rest) => ({ type: 'number', ...rest })),
      limits('minimum', 'maximum').map((rest) => ({ type: 'integer', ...rest })),
      fc.constant({ type: 'integer', multipleOf: 2 }),
      fc.subarray(['string', 'null', 'integer', 'boolean'], { minLength: 1 }).map((type) => ({ type })),
      fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      scalars.map((value) => ({ const: value })),
      fc
        .record({ items: tie('schema'), size: limits('minItems', 'maxItems') })
        .map(({ items, size }) => ({ type: 'array', items, ...size })),
      fc.array(tie('schema'), { maxLength: 2 }).map((prefixItems) => ({
        type: 'array',
        ...(prefixItems.length > 0 && { prefixItems }),
        items: false as never,
      })),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        required: fc.subarray(['a', 'b']),
      }),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc
        .record({
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          rest: limits('minimum', 'maxLength'),
        })
        .map(({ anyOf, rest }) => ({ anyOf, ...rest })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((oneOf) => ({ oneOf })),
    ) as fc.Arbitrary<JsonSchema>,
  }))
  .schema.map(copy);

const flat: unknown[] = ['', 'a', 'ab', 'abc', 'abcd', -1, 0, 1, 1.5, 2, 3, 4, true, false, null];
const values: unknown[] = [
  ...flat,
  [],
  [0],
  ['a'],
  [null],
  [1, 'a'],
  ['abc', 2],
  [0, 1, 2],
  ['a', 'b', 'c', 'd'],
  [[]],
  [{}],
  {},
  ...flat.flatMap((value) => [{ a: value }, { b: value }, { a: value, b: value }, { a: 1, b: value }]),
  { a: [] },
  { a: ['a'] },
  { a: {} },
  { a: { a: 1 } },
  { a: { b: 'a' } },
];

/**
 * Inputs are closed: undeclared properties are refused. Outputs are open: readers ignore undeclared
 * properties.
 */
function object(schema: JsonSchema, role: Role): JsonSchema {
  const close = (each: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries({
        ...each,
        ...(each.type === 'object' && { additionalProperties: false as never }),
      }).map(([keyword, inner]) => {
        if (/^(anyOf|oneOf|prefixItems)$/.test(keyword)) return [keyword, (inner as JsonSchema[]).map(close)];
        if (keyword === 'items' && inner !== (false as never)) return [keyword, close(inner as JsonSchema)];
        if (keyword !== 'properties') return [keyword, inner];
        const members = Object.entries(inner as Record<string, JsonSchema>);
        return [keyword, Object.fromEntries(members.map(([name, member]) => [name, close(member)]))];
      }),
    );
  return role === 'input' ? close(schema) : schema;
}

const ajv = new Ajv2020({ strict: false });

test.each<Role>(['input', 'output'])('every value of an %s that becomes invalid is noticed', (role) => {
  let noticed = 0;
  fc.assert(
    fc.property(schemas, schemas, (one, other) => {
      const [before, after] = [object(one, role), object(other, role)];
      const [promised, kept] = role === 'input' ? [before, after] : [after, before];
      const [fitsPromised, fitsKept] = [ajv.compile(promised), ajv.compile(kept)];
      const broken = values.find((value) => fitsPromised(value) && !fitsKept(value));
      if (broken === undefined) return;
      noticed++;
      const impacts = compareSchemas(before, after, role).map(({ impact }) => impact);
      expect({ broken, impacts }).toMatchObject({ impacts: expect.arrayContaining(['breaking']) });
    }),
    { numRuns: 2000, seed: 20261121 },
  );
  expect(noticed).toBeGreaterThan(200);
});

test('a schema equals itself, and a reference equals its definition', () => {
  fc.assert(
    fc.property(schemas, fc.constantFrom<Role>('input', 'output'), (schema, role) => {
      expect(compareSchemas(schema, copy(schema), role)).toEqual([]);
      const byName = { $defs: { It: schema }, type: 'array', items: { $ref: '#/$defs/It' } };
      expect(compareSchemas({ type: 'array', items: schema }, byName, role)).toEqual([]);
    }),
    { numRuns: 500, seed: 20261121 },
  );
});

test('a limit beside alternatives limits each of them', () => {
  const before: JsonSchema = { type: 'integer', minimum: 1 };
  const forms: JsonSchema[] = [{ type: 'integer' }, { type: 'string', pattern: '^[1-9]' }];
  const impactsOf = (after: JsonSchema, role: Role) =>
    compareSchemas(before, after, role).map(({ impact }) => impact);

  expect(impactsOf({ anyOf: forms, minimum: 1 }, 'input')).toEqual(['compatible']);
  expect(impactsOf({ anyOf: forms, minimum: 1 }, 'output')).toEqual(['breaking']);
  expect(impactsOf({ anyOf: forms, minimum: 2 }, 'input')).toContain('breaking');
});
