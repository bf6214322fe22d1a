import type { JsonSchema } from '../schema/json-schema.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { validateAndExplain, verdictOf } from './validator.js';
import type { FailedKeyword } from './validation-run.js';
import { problemsOf } from './problem.js';

const options = { strict: false, validateSchema: false, ownProperties: true, logger: false } as const;
const ajv = { first: new Ajv2020(options), all: new Ajv2020({ ...options, allErrors: true, verbose: true }) };
for (const each of Object.values(ajv)) addFormats.default(each as never);

function compiled(schema: JsonSchema, mode: 'first' | 'all'): ValidateFunction {
  try {
    return ajv[mode].compile(schema);
  } finally {
    ajv[mode].removeSchema(schema);
  }
}

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'a/b~c');
const limit = fc.integer({ min: 0, max: 4 });
const scalar = fc.constantFrom('', 'a', 'ab', '😀b', '2026-01-02', 0, -0, 1, 2.5, 4, true, false, null);
const within = (part: fc.Arbitrary<unknown>) =>
  fc.oneof(
    scalar,
    fc.array(part, { maxLength: 4 }),
    fc.array(fc.tuple(names, part), { maxLength: 4 }).map((entries) => parsed(entries)),
  );
const value = within(within(scalar));

/** For Ajv, no object with a property `constructor` equals another one. */
const constant = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b'), scalar, { maxKeys: 2, noNullPrototype: true }),
);

/** As in parsed JSON, `__proto__` is a property like any other. */
function parsed(entries: [string, unknown][]): unknown {
  const members = entries.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
  return JSON.parse(`{${members.join()}}`);
}

const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const schemaOf = (part: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> => {
  const some = fc.array(part, { minLength: 1, maxLength: 3 });
  const keywords = {
    type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(constant, { minLength: 1, maxLength: 5 }),
    const: constant,
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: limit,
    maxLength: limit,
    pattern: fc.constantFrom('^a', 'b$', '.', '^\\d+$'),
    format: fc.constantFrom('date', 'int32', 'email', 'nobody knows it'),
    minItems: limit,
    maxItems: limit,
    uniqueItems: fc.boolean(),
    prefixItems: some,
    items: fc.oneof(fc.boolean(), part),
    minProperties: limit,
    maxProperties: limit,
    anyOf: fc.array(part, { maxLength: 3 }),
    oneOf: some,
    allOf: some,
    not: part,
    if: part,
    then: fc.oneof(fc.boolean(), part),
    else: part,
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'a/b~c'), part, { maxKeys: 3 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'c'), part, { maxKeys: 2, noNullPrototype: true }),
    propertyNames: part,
    contains: part,
    minContains: limit,
    maxContains: limit,
    dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(['c']), {
      noNullPrototype: true,
    }),
    dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), part, { noNullPrototype: true }),
    dependencies: fc.dictionary(fc.constantFrom('a', 'b'), part, { noNullPrototype: true }),
    unevaluatedProperties: fc.oneof(fc.boolean(), part),
    unevaluatedItems: fc.oneof(fc.boolean(), part),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), part),
    description: fc.constant('says nothing'),
    $ref: fc.constant('#/$defs/shared'),
  };
  return fc
    .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { maxLength: 3 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, keywords[name]]))),
    ) as fc.Arbitrary<JsonSchema>;
};
const shared: JsonSchema = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { $ref: '#/$defs/shared' } },
  required: ['a'],
};
const schema = schemaOf(schemaOf(schemaOf(fc.constant({})))).map((root) => ({ ...root, $defs: { shared } }));

/**
 * Ajv 8 throws a TypeError if it has to count what patternProperties beside a choice have evaluated. It
 * throws a ReferenceError if it has to count the items of `prefixItems` in a choice.
 */
function breaks(validate: (one: unknown) => unknown, one: unknown): boolean {
  try {
    validate(one);
    return false;
  } catch (error) {
    return error instanceof TypeError || error instanceof ReferenceError;
  }
}

function worded(errors: readonly FailedKeyword[] | null | undefined, of: unknown): string[] {
  // Problems may be reported in another order.
  return (
    problemsOf(errors ?? [], of)
      // Of several pairs of equal items, Ajv finds the last one.
      .map(({ pointer, expected }) => `${pointer}: ${expected.replace(/items \d+ and \d+/, 'some')}`)
      .sort()
  );
}

/**
 * Whether the problems are those of Ajv, too. Behind a reference, Ajv's paths begin again, so that it cannot be seen which
 * alternative failed. And of a value that fails elsewhere, Ajv also says that nothing has described its parts. Ajv forgets
 * that a `contains` has failed where a `oneOf` beside it, or a `contains` of another item, holds.
 */
function hasSameProblems({ $defs: _, ...own }: JsonSchema): boolean {
  const text = JSON.stringify(own);
  const forgets = /"contains":[^]*"(?:contains|oneOf)":|"oneOf":[^]*"contains":/;
  return !/"(?:\$ref|unevaluated\w+)":/.test(text) && !forgets.test(text);
}

/** Where Ajv 8 is wrong, with the right verdict. The standard decides, and its official tests. */
const wrongInAjv: [what: string, schema: JsonSchema, value: unknown, isValid: boolean][] = [
  [
    'a property with the name of the prototype',
    { properties: { ['__proto__']: { type: 'number' } } },
    JSON.parse('{"__proto__":"x"}'),
    false,
  ],
  ['items that contains has not found', { contains: { const: 1 }, unevaluatedItems: false }, [1, 2], false],
  ['items that contains has found', { contains: {}, unevaluatedItems: false }, [1], true],
  [
    'properties that a condition has described, but was not met',
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      else: { properties: { b: {} }, required: ['b'] },
      unevaluatedProperties: false,
    },
    { a: 2, b: 1 },
    false,
  ],
  [
    'properties that a condition has described',
    { if: { patternProperties: { a: {} } }, unevaluatedProperties: false },
    { a: 1 },
    true,
  ],
  [
    'items that no alternative has described',
    { anyOf: [{ items: { type: 'string' } }, true as never], unevaluatedItems: { type: 'boolean' } },
    ['yes', false],
    false,
  ],
  ['an empty list that must contain something', { prefixItems: [{ allOf: [{}] }], contains: {} }, [], false],
  [
    'a name that every object inherits',
    { patternProperties: { '^a': {} }, unevaluatedProperties: false },
    { constructor: '' },
    false,
  ],
  [
    'items that only a failed alternative has described',
    { anyOf: [{ unevaluatedItems: false }, {}], unevaluatedItems: false },
    ['x'],
    false,
  ],
  ['a price in cents', { multipleOf: 0.01 }, 19.99, true],
  ['bytes with a line that is none', { format: 'byte' }, '?\n', false],
];

test.each(wrongInAjv)('Ajv is wrong about %s, and we are not', (_, schema, value, isValid) => {
  expect(verdictOf(schema, 'method')(value)).toBe(isValid);
  expect(judgedByAjv(schema, value)).not.toBe(isValid);
});

/** Ajv's verdict, or `broken` if its code fails. */
function judgedByAjv(schema: JsonSchema, value: unknown): boolean | 'broken' {
  const validate = compiled(schema, 'first');
  return breaks(validate, value) ? 'broken' : validate(value);
}

/** Whether Ajv may be wrong for one of these reasons. */
function confusesAjv(schema: JsonSchema, value: unknown): boolean {
  const text = JSON.stringify(schema);
  return (
    (/"unevaluatedItems":/.test(text) && /"(?:contains|items|anyOf|oneOf|if)":/.test(text)) ||
    (/"unevaluatedProperties":/.test(text) &&
      (/"if":/.test(text) || /"(?:constructor|__proto__)":/.test(JSON.stringify(value)))) ||
    (/"prefixItems":/.test(text) && /"contains":/.test(text))
  );
}

test('the verdict and the problems of a value are those of Ajv', () => {
  const seen = { right: 0, wrong: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 6 }), (each, values) => {
      const fits = compiled(each, 'first');
      const explain = compiled(each, 'all');
      const decide = verdictOf(each, 'method');
      for (const one of values) {
        if (confusesAjv(each, one) || breaks(fits, one) || breaks(explain, one)) continue;
        const expected = fits(one);
        const first = validateAndExplain(each, one, { source: 'method', explain: false });
        const all = validateAndExplain(each, one, { source: 'method', explain: true });
        expect([one, first.length === 0]).toEqual([one, expected]);
        expect([one, decide(one)]).toEqual([one, expected]);
        seen[expected ? 'right' : 'wrong']++;
        if (!explain(one) && hasSameProblems(each))
          expect(worded(all, one)).toEqual(worded(explain.errors, one));
      }
    }),
    { numRuns: 1_000 },
  );
  expect(seen.right).toBeGreaterThan(500);
  expect(seen.wrong).toBeGreaterThan(500);
});
