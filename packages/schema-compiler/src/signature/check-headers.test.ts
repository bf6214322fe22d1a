import type { JsonSchema } from '@toolwright/json';
import { checkHeaders } from './check-headers.js';

const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name }) as JsonSchema;
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });

test('a token is accepted on strings, integers and booleans, at any depth of properties', () => {
  const nested = object({
    s: header('S'),
    inner: object({ n: header('N', 'integer'), b: header('B', 'boolean') }),
  });
  expect(checkHeaders(nested)).toEqual([]);
});

test('a property with the name of the keyword is only a property', () => {
  expect(checkHeaders(object({ 'x-mcp-header': { type: 'string' } }))).toEqual([]);
});

test.each<[string, JsonSchema, RegExp]>([
  ['not a token', object({ a: header('a b') }), /"a b" of a is not a token/],
  ['empty', object({ a: header('') }), /is not a token/],
  ['on a number', object({ a: header('A', 'number') }), /on a value of type "number"/],
  [
    'on a nullable string',
    object({ a: header('A', ['string', 'null']) }),
    /on a value of type \["string","null"\]/,
  ],
  ['twice, but for case', object({ a: header('A'), b: header('a') }), /"a" of b is used twice/],
  ['at the root', { ...object({}), ...header('A') }, /inside a list, a choice or a map/],
  ['inside items', object({ a: { type: 'array', items: header('A') } }), /inside a list, a choice or a map/],
  ['inside a choice', { anyOf: [object({ a: header('A') })] }, /inside a list, a choice or a map/],
])('%s is a problem', (_case, schema, problem) => {
  expect(checkHeaders(schema).join('\n')).toMatch(problem);
});
