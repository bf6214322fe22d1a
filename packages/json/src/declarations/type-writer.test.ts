import type { JsonSchema } from '../schema/json-schema.js';
import { TypeWriter } from './type-writer.js';

const write = (schema: JsonSchema) =>
  new TypeWriter(schema, (name) => `Named${name}`).type(schema, '').replace(/\s+/g, ' ');

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'integer' };

test.each<[string, JsonSchema, string]>([
  ['nothing said', {}, 'unknown'],
  ['several types', { type: ['string', 'null'] }, 'string | null'],
  ['an enum', { enum: ['a', 1, null] }, '"a" | 1 | null'],
  ['a constant', { const: false }, 'false'],
  ['a list of a union', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  ['a tuple', { type: 'array', prefixItems: [text, number], minItems: 2 }, '[string, number]'],
  [
    'a tuple with a rest',
    { type: 'array', prefixItems: [text], minItems: 0, items: number },
    '[string?, ...number[]]',
  ],
  ['a record', { type: 'object', additionalProperties: number }, 'Record<string, number>'],
  ['no properties', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['names by pattern', { type: 'object', patternProperties: { '^x': text } }, 'Record<string, string>'],
  [
    'properties and more',
    { type: 'object', properties: { a: number }, additionalProperties: true },
    '{ a?: number; [name: string]: unknown; }',
  ],
  [
    'a choice',
    { anyOf: [text, { type: 'object', properties: { a: text }, required: ['a'] }] },
    'string | { a: string; }',
  ],
  [
    'all of several',
    { allOf: [{ anyOf: [text, number] }, { enum: ['a', 2] }] },
    '(string | number) & ("a" | 2)',
  ],
  [
    'properties beside a choice',
    { type: 'object', properties: { a: text }, anyOf: [{ type: 'object', properties: { b: text } }] },
    '{ b?: string; } & { a?: string; }',
  ],
  ['a definition', { $ref: '#/$defs/It', $defs: { It: text } }, 'NamedIt'],
  ['the whole', { type: 'array', items: { $ref: '#' } }, 'Named#[]'],
  ['a definition that is not there', { $ref: '#/$defs/toString', $defs: {} }, 'unknown'],
  ['an unknown reference', { $ref: 'https://example.com/schema' }, 'unknown'],
  ['a name that is no identifier', { type: 'object', properties: { 'a-b': text } }, '{ "a-b"?: string; }'],
])('%s', (_case, schema, type) => {
  expect(write(schema)).toBe(type);
});
