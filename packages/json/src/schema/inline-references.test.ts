import { validatorFor } from '../validation/validator.js';
import { toClientSafe } from './client-safe-profile.js';
import type { JsonSchema } from './json-schema.js';

const word: JsonSchema = { type: 'string', minLength: 2 };
const object = (properties: Record<string, JsonSchema>, $defs?: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  ...($defs && { $defs }),
});

test.each<[string, JsonSchema]>([
  ['a definition', object({ a: { $ref: '#/$defs/word' } }, { word })],
  ['a definition below unevaluatedProperties', object({}, { word })],
  ['an anchor', object({ a: { $ref: '#it' } }, { word: { $anchor: 'it', ...word } })],
  [
    'an anchor beside a definition',
    object(
      { a: { $ref: '#it' }, b: { $ref: '#/$defs/other' } },
      { word: { $anchor: 'it', ...word }, other: {} },
    ),
  ],
  ['a dynamic anchor', object({ a: { $dynamicRef: '#it' } }, { word: { $dynamicAnchor: 'it', ...word } })],
  ['a part of a definition', object({ a: { $ref: '#/$defs/o/properties/word' } }, { o: object({ word }) })],
  ['another property', object({ first: word, a: { $ref: '#/properties/first' } }, { unused: {} })],
])('a published schema keeps what a reference to %s means', (what, schema) => {
  const given = what.includes('unevaluated')
    ? { ...schema, unevaluatedProperties: { $ref: '#/$defs/word' } }
    : schema;
  for (const role of ['input', 'output'] as const) {
    const validate = validatorFor(toClientSafe(given, { role }), 'caller');
    expect(validate({ a: 'ab' })).toBeUndefined();
    expect(validate({ a: 'a' })).toMatchObject([{ pointer: '/a' }]);
  }
});
