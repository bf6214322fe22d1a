import type { JsonSchema } from '@toolwright/json';
import { findHeaderMismatch, planParamHeaders } from './param-headers.js';

const property = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { p: schema } });

test('declarations are found along properties only, each with its path', () => {
  const { headers, problems } = planParamHeaders({
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      nested: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    },
  });
  expect(problems).toEqual([]);
  expect(headers).toEqual([
    { header: 'mcp-param-region', path: ['region'], type: 'string' },
    { header: 'mcp-param-n', path: ['nested', 'n'], type: 'integer' },
  ]);
});

test.each<[string, JsonSchema]>([
  ['an empty name', property({ type: 'string', 'x-mcp-header': '' })],
  ['a name that is no token', property({ type: 'string', 'x-mcp-header': 'a b' })],
  ['a line break', property({ type: 'string', 'x-mcp-header': 'a\r\nb' })],
  ['a number', property({ type: 'number', 'x-mcp-header': 'N' })],
  ['an object', property({ type: 'object', 'x-mcp-header': 'N' })],
  ['an array’s items', property({ type: 'array', items: { type: 'string', 'x-mcp-header': 'N' } })],
  ['a choice', property({ anyOf: [{ type: 'string', 'x-mcp-header': 'N' }] })],
  ['a definition', { type: 'object', $defs: { d: { type: 'string', 'x-mcp-header': 'N' } } }],
  ['the root', { type: 'object', 'x-mcp-header': 'N' }],
])('a declaration on %s is a problem', (_where, schema) => {
  expect(planParamHeaders(schema).problems).toHaveLength(1);
});

test('names that differ only in their case are repeated', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', 'x-mcp-header': 'N' }, b: { type: 'string', 'x-mcp-header': 'n' } },
  };
  expect(planParamHeaders(schema).problems).toHaveLength(1);
});

test('a property with the keyword’s name, and data that looks like it, declare nothing', () => {
  const schema = {
    type: 'object',
    properties: { 'x-mcp-header': { type: 'string' } },
    default: { p: { 'x-mcp-header': 'N' } },
  };
  expect(planParamHeaders(schema)).toEqual({ headers: [], problems: [] });
});

test('a header without its value in the arguments is a mismatch', () => {
  const { headers } = planParamHeaders(property({ type: 'string', 'x-mcp-header': 'P' }));
  expect(findHeaderMismatch(headers, {}, () => 'x')).toContain('no value');
  expect(findHeaderMismatch(headers, JSON.parse('{"__proto__":{"p":"x"}}'), () => undefined)).toBeUndefined();
});
