import { outputWriter } from '../serialiser/output-writer.js';
import type { JsonSchema } from './json-schema.js';
import { sensitiveParts } from './sensitive-parts.js';

const account: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
};
const whole = (reference: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { account: reference },
  ...more,
});

test.each<[string, JsonSchema]>([
  ['a definition', whole({ $ref: '#/$defs/account' }, { $defs: { account } })],
  [
    'a definition with a name that is escaped',
    whole({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': account } }),
  ],
  ['an anchor', whole({ $ref: '#it' }, { $defs: { account: { $anchor: 'it', ...account } } })],
  [
    'a dynamic anchor',
    whole({ $dynamicRef: '#it' }, { $defs: { account: { $dynamicAnchor: 'it', ...account } } }),
  ],
  [
    'a property elsewhere',
    { type: 'object', properties: { first: account, account: { $ref: '#/properties/first' } } },
  ],
  [
    'a schema with an address of its own',
    whole(
      { $ref: 'account.json' },
      { $id: 'https://example.com/root.json', $defs: { account: { $id: 'account.json', ...account } } },
    ),
  ],
  [
    'a definition of a schema with an address of its own',
    whole(
      { $ref: 'parts.json#/$defs/account' },
      { $id: 'https://example.com/root.json', $defs: { parts: { $id: 'parts.json', $defs: { account } } } },
    ),
  ],
])('a secret behind a reference to %s is hidden', (_, schema) => {
  const parts = sensitiveParts(schema)!;
  const value = { account: { name: 'Ann', password: 'x1' } };
  expect(parts.hide(value)).toEqual({ account: { name: 'Ann', password: '[sensitive]' } });
  expect(parts.secretsOf(value)).toEqual(['x1']);
  expect(parts.covers('/account/password')).toBe(true);
});

test.each<[string, JsonSchema]>([
  ['$ref', { $ref: '#it' }],
  ['$dynamicRef', { $dynamicRef: '#it' }],
])('a result leaves out what the target of a %s does not declare', (_, reference) => {
  const node: JsonSchema = {
    $dynamicAnchor: 'it',
    type: 'object',
    properties: { name: { type: 'string' }, next: reference },
  };
  const write = outputWriter(whole(reference, { $defs: { node } }), { undeclared: 'drop' });
  const value = { account: { name: 'a', hash: 'x', next: { name: 'b', hash: 'y' } } };
  expect(JSON.parse(write(value).json)).toEqual({ account: { name: 'a', next: { name: 'b' } } });
});
