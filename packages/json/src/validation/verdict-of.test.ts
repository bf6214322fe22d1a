import type { JsonSchema } from '../schema/json-schema.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { verdictOf } from './validator.js';

const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, logger: false });

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const limit = fc.integer({ min: 0, max: 4 });
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', '😀', '😀b', 0, -0, 1, 2.5, 4, true, false, null),
  fc.double(),
);
const within = (part: fc.Arbitrary<unknown>) =>
  fc.oneof(
    scalar,
    fc.array(part, { maxLength: 4 }),
    fc.array(fc.tuple(names, part), { maxLength: 4 }).map((entries) => parsed(entries)),
  );
const value = within(within(scalar));

/** As in parsed JSON, `__proto__` is a property like any other. */
function parsed(entries: [string, unknown][]): unknown {
  const members = entries.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
  return JSON.parse(`{${members.join()}}`);
}

const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
/** Each schema has few keywords, so that some values are accepted. */
const schemaOf = (part: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> => {
  const keywords = {
    type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 8 }),
    const: scalar,
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    minLength: limit,
    maxLength: limit,
    minItems: limit,
    maxItems: limit,
    items: part,
    anyOf: fc.array(part, { minLength: 1, maxLength: 3 }),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), part, { maxKeys: 3 }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), part),
    description: fc.constant('says nothing'),
  };
  const some = fc.subarray(Object.keys(keywords) as (keyof typeof keywords)[], { maxLength: 3 });
  return some.chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, keywords[name]]))),
  ) as fc.Arbitrary<JsonSchema>;
};
const schema = schemaOf(schemaOf(schemaOf(fc.constant({}))));

it('accepts nothing that Ajv refuses', () => {
  let accepted = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (each, values) => {
      const check = verdictOf(each, 'method');
      const validate = ajv.compile(each);
      ajv.removeSchema(each);
      for (const one of values) {
        if (!check(one)) continue;
        accepted++;
        expect([one, validate(one)]).toEqual([one, true]);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

it.each<[JsonSchema, unknown]>([
  [{ type: 'object', properties: { q: { type: 'string', minLength: 2 } }, required: ['q'] }, { q: 'ab' }],
  [{ type: 'object', properties: { n: { type: 'integer', minimum: 1, maximum: 9 } } }, { n: 9 }],
  [{ type: 'object', additionalProperties: false }, {}],
  [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 }, ['a', 'b']],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
  [{ type: 'string', minLength: 2 }, '😀😀'],
])('%j accepts %j', (known, fitting) => {
  expect(verdictOf(known, 'method')(fitting)).toBe(true);
});

it('holds a number that JSON does not have to the limits, too', () => {
  expect(verdictOf({ maximum: 0 }, 'method')(Infinity)).toBe(false);
  expect(verdictOf({ minimum: 0 }, 'method')(-Infinity)).toBe(false);
});
