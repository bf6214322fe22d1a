import type { JsonSchema } from './json-schema.js';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toClientSafe } from './client-safe-profile.js';

const input = (schema: JsonSchema) => toClientSafe(schema, { role: 'input' });
const output = (schema: JsonSchema) => toClientSafe(schema, { role: 'output' });
const text: JsonSchema = { type: 'string' };

test('a plain object schema stays as it is, and is not changed in place', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: text },
    required: ['a'],
    additionalProperties: false,
  };
  const before = structuredClone(schema);
  expect(input(schema)).toEqual(before);
  expect(schema).toEqual(before);
});

test('references without recursion are written out, with the keywords beside them', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/A', description: 'mine' },
      list: { type: 'array', items: { $ref: '#/$defs/A' } },
    },
    $defs: { A: { type: 'object', description: 'any', properties: { b: { $ref: '#/$defs/B' } } }, B: text },
  };
  expect(input(schema)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'object', description: 'mine', properties: { b: text } },
      list: { type: 'array', items: { type: 'object', description: 'any', properties: { b: text } } },
    },
  });
});

test('a recursive definition stays in $defs, and a root that refers to it shows its type', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
  };
  expect(input({ $ref: '#/$defs/Tree', $defs: { Tree: tree } })).toEqual({ ...tree, $defs: { Tree: tree } });
});

test('a choice of objects at the root of an input becomes one object', () => {
  const schema: JsonSchema = {
    anyOf: [
      {
        type: 'object',
        properties: { kind: { type: 'string', const: 'a' }, x: text },
        required: ['kind', 'x'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { kind: { type: 'string', const: 'b' }, y: text },
        required: ['kind', 'y'],
        additionalProperties: false,
      },
    ],
  };
  expect(input(schema)).toEqual({
    type: 'object',
    properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: text, y: text },
    required: ['kind'],
    additionalProperties: false,
  });
  expect(output(schema)).toEqual(schema);
});

test('an optional whole input, an object or nothing, becomes an object without required properties', () => {
  const object: JsonSchema = {
    type: 'object',
    properties: { id: text },
    required: ['id'],
    additionalProperties: false,
  };
  expect(
    input({ anyOf: [object, { type: 'object', additionalProperties: false }], default: { id: 'a' } }),
  ).toEqual({
    type: 'object',
    properties: { id: text },
    additionalProperties: false,
    default: { id: 'a' },
  });
});

test('null stays in a choice of single types, also where it is the default', () => {
  const nullable: JsonSchema = { type: ['null', 'string'], default: null };
  const choice: JsonSchema = { anyOf: [{ enum: ['a'] }, { type: 'null' }], description: 'd', default: null };
  const parent: JsonSchema = { type: ['null', 'string'] };
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: nullable, b: nullable, c: choice, parent },
    required: ['b'],
  };
  expect(input(schema).properties).toEqual({
    a: { anyOf: [{ type: 'null' }, { type: 'string' }], default: null },
    b: { anyOf: [{ type: 'null' }, { type: 'string' }], default: null },
    c: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }], description: 'd', default: null },
    parent: { anyOf: [{ type: 'null' }, { type: 'string' }] },
  });
});

test('a choice of values of several types becomes a choice of single types', () => {
  const types = (schema: JsonSchema) => input({ type: 'object', properties: { a: schema } }).properties!.a;
  expect(types({ type: ['string', 'null'], enum: ['a', null, 'b'], description: 'd' })).toEqual({
    anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    description: 'd',
  });
  expect(types({ type: ['integer', 'boolean'], enum: [1, true] })).toEqual({
    anyOf: [
      { type: 'integer', enum: [1] },
      { type: 'boolean', enum: [true] },
    ],
  });
  expect(types({ type: ['string', 'null'], enum: ['a'] })).toEqual({ type: 'string', enum: ['a'] });
});

test('an output keeps every null, because clients validate results with it', () => {
  const schema: JsonSchema = { type: 'object', properties: { a: { type: ['null', 'string'] } } };
  expect(output(schema).properties).toEqual({ a: { anyOf: [{ type: 'null' }, { type: 'string' }] } });
});

test('a tuple is a list of limited length, whose order words tell', () => {
  const pair: JsonSchema = {
    type: 'array',
    prefixItems: [text, { type: 'number', title: 'amount' }],
    minItems: 2,
    maxItems: 2,
    description: 'A price.',
  };
  expect(output(pair)).toEqual({
    type: 'array',
    description: 'A price. Items in this order: string, amount (number).',
    items: { anyOf: [text, { type: 'number', title: 'amount' }] },
    minItems: 2,
    maxItems: 2,
  });
});

test('a tuple that ends with "items: false" gets maxItems instead', () => {
  const end: JsonSchema = { type: 'array', prefixItems: [text], items: false };
  const description = 'Items in this order: string.';
  expect(output(end)).toEqual({ type: 'array', description, items: text, maxItems: 1 });
});

test('the items after the elements of a tuple keep their type', () => {
  const rest: JsonSchema = {
    type: 'array',
    prefixItems: [{ const: 'a' }],
    items: { type: ['number', 'null'] },
  };
  expect(output(rest)).toEqual({
    type: 'array',
    description: 'Items in this order: "a", then any number of: number or null.',
    items: { anyOf: [{ const: 'a' }, { anyOf: [{ type: 'number' }, { type: 'null' }] }] },
  });
  expect(output({ type: 'array', prefixItems: [text] })).toMatchObject({ items: {} });
});

test.each([
  { type: 'array', prefixItems: [text, { type: 'number' }], minItems: 2, maxItems: 2 },
  { type: 'array', prefixItems: [text], items: { type: 'number' } },
  { type: ['array', 'null'], prefixItems: [text], items: false },
] as JsonSchema[])('readers of draft-07 and of 2020-12 load the tuple %j in their strict modes', (tuple) => {
  for (const role of [input, output]) {
    const published = role({ type: 'object', properties: { a: tuple } });
    for (const ajv of [new Ajv({ logger: false }), new Ajv2020({ logger: false })])
      expect(ajv.compile(published)({ a: ['x'] })).toBeDefined();
  }
});

test('unknown keywords, and values that look like schemas, stay unchanged', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string', 'x-mcp-header': 'A', default: 'x', examples: [{ type: ['null'] }] } },
    $comment: 'kept',
  };
  expect(input(schema)).toEqual(schema);
});

test.each<[string, JsonSchema, unknown]>([
  ['null in a list of types', { type: ['null', 'number'] }, null],
  ['a tuple', { type: 'array', prefixItems: [text, { type: 'number' }], maxItems: 2 }, ['a', 1]],
  ['mixed literals', { type: ['number', 'string'], enum: [0, 'yes'] }, 'yes'],
])('the published output schema accepts what the exact one accepts: %s', (_case, schema, value) => {
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.compile(schema)(value)).toBe(true);
  expect(ajv.compile(output(schema))(value)).toBe(true);
});
