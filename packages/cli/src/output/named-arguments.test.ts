import type { JsonSchema } from '@toolwright/json';
import { formatTools } from './format-tools.js';

const rowsOf = (inputSchema: JsonSchema) =>
  formatTools([{ name: 'pay', inputSchema: inputSchema as never }], { colours: false, columns: undefined })
    .slice(1)
    .map((line) => line.trim().replace(/ {2,}/g, '  '));

test('the arguments of alternatives of the whole are listed', () => {
  const rows = rowsOf({
    type: 'object',
    properties: { note: { type: 'string', description: 'For the bank.' } },
    oneOf: [
      {
        properties: { kind: { const: 'card' }, number: { type: 'string' }, amount: { type: 'integer' } },
        required: ['kind', 'number', 'amount'],
      },
      { $ref: '#/$defs/Transfer' },
    ],
    $defs: {
      Transfer: {
        properties: { kind: { const: 'transfer' }, iban: { type: 'string' }, amount: { type: 'integer' } },
        required: ['kind', 'iban', 'amount'],
      },
    },
  });
  expect(rows).toEqual([
    '--note  string  For the bank.',
    '--kind  "card" | "transfer"  required',
    '--number  string',
    '--amount  integer  required',
    '--iban  string',
  ]);
});

test('a root that is a reference, or a conjunction, is looked into', () => {
  const rows = rowsOf({
    $ref: '#/$defs/Whole',
    $defs: {
      Whole: { allOf: [{ properties: { one: { type: 'string', default: 'a' } } }, { $ref: '#/$defs/More' }] },
      More: { properties: { two: { type: 'number' } }, required: ['two'] },
    },
  });
  expect(rows).toEqual(['--one  string  default "a"', '--two  number  required']);
});

test('a schema that contains itself ends', () => {
  const self: JsonSchema = { $ref: '#/$defs/Self' };
  const Self: JsonSchema = {
    properties: { name: { type: 'string' } },
    anyOf: [{ ...self }, { ...self }, { ...self }],
    oneOf: [{ ...self }, { ...self }, { ...self }],
    allOf: [{ ...self }, { ...self }],
  };
  expect(rowsOf({ ...self, $defs: { Self } })[0]).toBe('--name  string');
});
