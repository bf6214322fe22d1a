import { type JsonSchema, LongInteger, writeJson } from '@toolwright/json';
import { mirroredHeaders } from './mirrored-headers.js';

const header = (type: string, name: string): JsonSchema => ({ type, 'x-mcp-header': name });

const schema: JsonSchema = {
  type: 'object',
  properties: {
    region: header('string', 'Region'),
    level: header('integer', 'Level'),
    on: header('boolean', 'On'),
    nested: { type: 'object', properties: { t: header('string', 'T') } },
    plain: { type: 'string' },
  },
};

test('declared parameters are repeated, including zero, false and empty values', () => {
  expect(
    mirroredHeaders(schema, { region: '', level: 0, on: false, nested: { t: 'x' }, plain: 'y' }),
  ).toEqual({
    'mcp-param-Region': '=?base64??=',
    'mcp-param-Level': '0',
    'mcp-param-On': 'false',
    'mcp-param-T': 'x',
  });
});

test('a number has the digits that the message has', () => {
  const args = { level: 2 ** 60, region: new LongInteger('9007199254740993') };
  expect(mirroredHeaders(schema, args)).toEqual({
    'mcp-param-Level': '1152921504606846976',
    'mcp-param-Region': '9007199254740993',
  });
  expect(writeJson(args)).toBe('{"level":1152921504606846976,"region":9007199254740993}');
});

test('missing and null parameters have no header', () => {
  expect(mirroredHeaders(schema, { region: null, nested: null })).toEqual({});
});

test('values that a header cannot contain are sent as base64, and so are values that look like base64', () => {
  const encoded = (text: string) => mirroredHeaders(schema, { region: text })['mcp-param-Region'];
  expect(encoded('Zürich')).toBe(`=?base64?${Buffer.from('Zürich').toString('base64')}?=`);
  expect(encoded(' padded ')).toMatch(/^=\?base64\?/);
  expect(encoded('=?base64?eA==?=')).toMatch(/^=\?base64\?PT9/);
  expect(encoded('us east')).toBe('us east');
});
