import type { JsonSchema, AnySchema } from './json-schema.js';
import Ajv from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toLatestDialect } from './to-latest-dialect.js';

const draft = (number: string) => `http://json-schema.org/draft-${number}/schema#`;
const d2019 = 'https://json-schema.org/draft/2019-09/schema';
const text = { type: 'string' };
const options = { strict: false, logger: false as const };

/** A validator for each draft, which decides whether a value is valid. */
const judges: Record<string, () => Ajv> = {
  [draft('07')]: () => new Ajv({ ...options, ignoreKeywordsWithRef: true }),
  [d2019]: () => new Ajv2019(options),
};

const node = {
  type: 'object',
  properties: { next: { $ref: '#/definitions/node' } },
  additionalProperties: false,
};

test.each<[string, AnySchema, unknown[]]>([
  [
    'what zod writes',
    { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false },
    [{}, { a: 'x' }, { a: 1 }, { a: 'x', b: 1 }],
  ],
  [
    'definitions',
    {
      definitions: { a: text, 'b/c~d': { const: 1 } },
      properties: { x: { $ref: '#/definitions/a' }, y: { $ref: '#/definitions/b~1c~0d' } },
    },
    [{ x: 'x', y: 1 }, { x: 1 }, { y: 2 }],
  ],
  [
    'a root that is a reference',
    { $ref: '#/definitions/a', definitions: { a: { type: 'object', required: ['b'] } } },
    [{ b: 1 }, {}, 1],
  ],
  [
    'recursion',
    { $ref: '#/definitions/node', definitions: { node } },
    [{ next: { next: {} } }, { next: { other: 1 } }],
  ],
  [
    'recursion to the root',
    { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }, { next: { other: 1 } }],
  ],
  [
    'references to places',
    {
      properties: {
        a: { type: 'array', items: [{ enum: [1] }, text], additionalItems: false },
        b: { $ref: '#/properties/a/items/1' },
        c: { $ref: '#/properties/a' },
      },
    },
    [{ b: 'x' }, { b: 1 }, { c: [1, 'x'] }, { c: [1, 'x', 2] }, { a: [2] }],
  ],
  [
    'siblings of a reference',
    {
      properties: { a: { $ref: '#/definitions/a', maxLength: 1, description: 'kept' } },
      definitions: { a: text },
    },
    [{ a: 'long' }, { a: 1 }],
  ],
  [
    'tuples',
    { items: [text, { type: 'number' }], additionalItems: { type: 'boolean' } },
    [['x', 1, true], ['x', 1, 1], [1]],
  ],
  ['lists with additionalItems', { items: text, additionalItems: false }, [['x', 'y'], [1]]],
  [
    'dependencies',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }],
  ],
  [
    'conditions and choices',
    {
      if: { properties: { a: { const: 1 } } },
      then: { required: ['b'] },
      else: { not: { required: ['b'] } },
      anyOf: [{ items: [text] }, true],
      oneOf: [{ minProperties: 1 }],
    },
    [{ a: 1, b: 1 }, { a: 1 }, { a: 2, b: 1 }, {}],
  ],
  [
    'data that looks like keywords',
    {
      properties: { definitions: text, id: text, $ref: text },
      const: { items: [1], $ref: '#/x' },
    },
    [{ items: [1], $ref: '#/x' }, { items: 'x' }],
  ],
  [
    'names of anchors',
    { properties: { a: { $ref: '#name' } }, definitions: { b: { $id: '#name', ...text } } },
    [{ a: 'x' }, { a: 1 }],
  ],
  [
    'an address of its own',
    {
      $id: 'http://a.example/s.json',
      properties: { a: { $ref: 'http://a.example/s.json#/definitions/b' } },
      definitions: { b: text },
    },
    [{ a: 'x' }, { a: 1 }],
  ],
])('draft-07 accepts the same values after the conversion to 2020-12: %s', (_, keywords, values) => {
  same({ $schema: draft('07'), ...keywords }, values);
});

test.each<[string, AnySchema, unknown[]]>([
  ['tuples', { items: [text], additionalItems: false, $defs: { a: text } }, [['x'], ['x', 1], [1]]],
  [
    'siblings of a reference',
    { properties: { a: { $ref: '#/$defs/a', maxLength: 1 } }, $defs: { a: text } },
    [{ a: 'long' }, { a: 'x' }, { a: 1 }],
  ],
  [
    'recursion',
    { properties: { next: { $recursiveRef: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }, { next: { a: 1 } }],
  ],
  [
    'anchors',
    { properties: { a: { $ref: '#name' } }, $defs: { b: { $anchor: 'name', ...text } } },
    [{ a: 'x' }, { a: 1 }],
  ],
  [
    'dependent keywords',
    { dependentRequired: { a: ['b'] }, dependencies: { c: ['d'] } },
    [{ a: 1 }, { c: 1 }, { c: 1, d: 1 }],
  ],
])('2019-09 accepts the same values after the conversion to 2020-12: %s', (_, keywords, values) => {
  same({ $schema: d2019, ...keywords }, values);
});

test('limits of draft-04 become exclusive limits', () => {
  const limits = {
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 5,
    exclusiveMaximum: false,
  };
  const schema = {
    $schema: draft('04'),
    id: 'http://a.example/s',
    properties: { a: limits },
    required: ['a'],
  };
  expect(toLatestDialect(schema)).toEqual({
    properties: { a: { exclusiveMinimum: 1, maximum: 5 } },
    required: ['a'],
  });
});

test('draft-06 is converted, and so is a schema without a draft that uses older keywords', () => {
  expect(toLatestDialect({ $schema: draft('06'), items: [text] })).toEqual({
    prefixItems: [text],
  });
  expect(toLatestDialect({ properties: { a: { items: [text] } } })).toEqual({
    properties: { a: { prefixItems: [text] } },
  });
});

test.each<JsonSchema>([
  { type: 'object', properties: { a: { $ref: '#/$defs/a', maxLength: 1 } }, $defs: { a: text } },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  { $schema: 'http://json-schema.org/draft-03/schema#', type: 'object' },
])('nothing else is changed: %j', (schema) => {
  expect(toLatestDialect(schema)).toBe(schema);
});

function same(schema: AnySchema, values: unknown[]): void {
  const before = structuredClone(schema);
  const latest = toLatestDialect(schema);
  expect(schema).toEqual(before);
  const ajv = new Ajv2020(options);
  expect([ajv.validateSchema(latest), ajv.errors]).toEqual([true, null]);
  const judge = judges[String(schema['$schema'])]!().compile(schema as JsonSchema);
  const validate = ajv.compile(latest);
  const judged = values.map((value) => [value, judge(value)]);
  expect(values.map((value) => [value, validate(value)])).toEqual(judged);
  expect(new Set(judged.map(([, fits]) => fits)).size).toBe(2);
}
