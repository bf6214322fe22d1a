import { outputWriter } from './output-writer.js';

test.each([
  [{ type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] }],
  [{ allOf: [{ type: 'object', properties: { a: { type: 'number' } } }, { required: ['b'] }] }],
  [{ type: 'object', properties: { a: {} }, anyOf: [{ required: ['b'] }, { required: ['c'] }] }],
])('what %j requires and does not name is not left out', (schema) => {
  for (const generate of [true, false]) {
    const write = outputWriter(schema, { undeclared: 'drop', generate });
    expect(write({ a: 1, b: { deep: 2 }, secret: 3 }).json).toBe('{"a":1,"b":{"deep":2}}');
  }
});
