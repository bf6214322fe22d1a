import type { JsonSchema } from '../schema/json-schema.js';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { validateAndExplain, verdictOf } from './validator.js';
import { UnknownKeywordError } from './validation-run.js';
import { LazyReferences } from './lazy-references.js';
import { problemsOf } from './problem.js';
import { uniqueItems } from './compile-with-ajv.js';

const options = { strict: false, validateSchema: false, ownProperties: true, logger: false } as const;
const ajv = { first: new Ajv2020(options), all: new Ajv2020({ ...options, allErrors: true, verbose: true }) };
for (const each of Object.values(ajv)) {
  addFormats.default(each as never);
  each.removeKeyword('uniqueItems').addKeyword(uniqueItems);
}
const references = { first: new LazyReferences(ajv.first), all: new LazyReferences(ajv.all) };

function compiled({ $defs = {}, ...own }: JsonSchema, mode: 'first' | 'all') {
  const compile = (part: JsonSchema) => {
    const validate = ajv[mode].compile(part);
    ajv[mode].removeSchema(part);
    return validate;
  };
  return references[mode].within($defs, compile, own);
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

function told(errors: readonly ErrorObject[] | null | undefined, of: unknown): string[] {
  // Problems may be reported in another order.
  return problemsOf(errors ?? [], of)
    .map(({ pointer, expected }) => `${pointer}: ${expected}`)
    .sort();
}

test('the verdict and the problems of a value are those of Ajv', () => {
  const seen = { right: 0, wrong: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 6 }), (each, values) => {
      const fits = compiled(each, 'first');
      const explain = compiled(each, 'all');
      const decide = verdictOf(each, 'method');
      for (const one of values) {
        if (breaks(fits, one) || breaks(explain, one)) continue;
        const expected = fits(one);
        const first = validateAndExplain(each, one, { source: 'method', explain: false });
        const all = validateAndExplain(each, one, { source: 'method', explain: true });
        expect([one, first.length === 0]).toEqual([one, expected]);
        expect([one, decide(one)]).toEqual([one, expected]);
        seen[expected ? 'right' : 'wrong']++;
        if (!explain(one)) expect(told(all, one)).toEqual(told(explain.errors, one));
      }
    }),
    { numRuns: 1_500 },
  );
  expect(seen.right).toBeGreaterThan(500);
  expect(seen.wrong).toBeGreaterThan(500);
});

test.each<[string, JsonSchema]>([
  ['references that lead nowhere', { $ref: '#/$defs/b', $defs: { a: { type: 'string' } } }],
  ['references to other documents', { $ref: 'https://example.com/schema' }],
  ['references to the whole schema', { $ref: '#' }],
  ['references to an anchor', { $ref: '#a', $defs: { a: { $anchor: 'a' } } }],
  ['what depends on other keywords', { properties: { a: {} }, unevaluatedProperties: false }],
  ['a type that nobody knows', { type: 'constructor' }],
  ['no type at all', { type: [] }],
  ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'string' }],
])('%s are left to Ajv', (_, unknown) => {
  expect(() => validateAndExplain(unknown, {}, { source: 'caller', explain: true })).toThrow(
    UnknownKeywordError,
  );
});
