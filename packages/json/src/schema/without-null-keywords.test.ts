import { withoutNullKeywords } from './without-null-keywords.js';

test('keywords that are null are left out, at every depth, and names are no keywords', () => {
  const schema = {
    type: 'object',
    required: null,
    title: null,
    properties: {
      required: { type: 'string', pattern: null, enum: null },
      title: { anyOf: [{ not: null }] },
    },
    items: [{ minLength: null }],
  };
  expect(withoutNullKeywords(schema as never)).toEqual({
    type: 'object',
    properties: { required: { type: 'string' }, title: { anyOf: [{}] } },
    items: [{}],
  });
});

test('null stays where it is data, and a schema without it is the same object', () => {
  const schema = { default: null, const: null, enum: [null, 'a'], examples: [null, { a: null }] };
  expect(withoutNullKeywords(schema as never)).toBe(schema);
});
