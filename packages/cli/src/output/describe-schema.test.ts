import type { JsonSchema } from '@toolwright/json';
import { describeSchema } from './format-tools.js';

test.each<[string, JsonSchema | boolean | undefined]>([
  ['string', { type: 'string' }],
  ['string | null', { type: ['string', 'null'] }],
  ['"asc" | "desc"', { type: 'string', enum: ['asc', 'desc'] }],
  ['3', { const: 3 }],
  ['string[]', { type: 'array', items: { type: 'string' } }],
  ['(string | integer)[]', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }],
  ['[number, number]', { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] }],
  ['{ id, title? }', { type: 'object', properties: { id: {}, title: {} }, required: ['id'] }],
  ['{ [key]: number }', { type: 'object', additionalProperties: { type: 'number' } }],
  ['object', { type: 'object' }],
  ['Node', { $ref: '#/$defs/Node' }],
  ['A & B', { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }],
  ['any', {}],
  ['never', false],
  ['any', undefined],
])('%s', (text, schema) => {
  expect(describeSchema(schema)).toBe(text);
});
