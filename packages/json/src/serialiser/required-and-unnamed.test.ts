import { outputWriter } from './output-writer.js';

test.each([
  [{ type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] }],
  [{ allOf: [{ type: 'object', properties: { a: { type: 'number' } } }, { required: ['b'] }] }],
  [{ type: 'object', properties: { a: {} }, anyOf: [{ required: ['b'] }, { required: ['c'] }] }],
])('what %j requires and does not name is not left out', (schema) => {
  const write = outputWriter(schema, { undeclared: 'drop' });
  expect(write({ a: 1, b: { deep: 2 }, secret: 3 }).json).toBe('{"a":1,"b":{"deep":2}}');
});
