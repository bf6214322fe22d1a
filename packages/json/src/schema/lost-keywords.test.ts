import type { JsonSchema } from './json-schema.js';
import { lostKeywords } from './lost-keywords.js';

const text: JsonSchema = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const kind = (name: string, more: Record<string, JsonSchema>): JsonSchema =>
  object({ kind: { const: name }, ...more }, { required: ['kind', ...Object.keys(more)] });

test.each<[string, JsonSchema, string[]]>([
  ['nothing', object({ a: { ...text, maxLength: 5 }, b: { type: 'number', exclusiveMinimum: 0 } }), []],
  [
    'a tuple, whose order words say',
    object({ a: { type: 'array', prefixItems: [text, text], items: false } }),
    [],
  ],
  ['a closed object', object({ a: text }, { additionalProperties: false, required: ['a'] }), []],
  [
    'a condition on all arguments',
    object({ a: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
    [' if'],
  ],
  [
    'conditions inside',
    object({ list: { type: 'array', items: object({ row: { not: { const: 1 } } }), contains: text } }),
    ['list contains', 'list[].row not'],
  ],
  [
    'keys of a map',
    object({ map: { type: 'object', propertyNames: { pattern: '^a' } } }),
    ['map propertyNames'],
  ],
  ['a shared type', { $ref: '#/$defs/Row', $defs: { Row: object({ a: { not: text } }) } }, ['Row.a not']],
  [
    'a choice whose alternatives need other arguments',
    { anyOf: [kind('a', { x: text }), kind('b', { y: text })] },
    [' anyOf'],
  ],
  ['a choice of the same arguments', { oneOf: [kind('a', {}), kind('b', {})] }, []],
  ['a condition in a condition', object({}, { not: { not: text } }), [' not']],
])('the published form of %s loses what is named', (_what, schema, lost) => {
  expect(lostKeywords(schema).map(({ place, keyword }) => `${place} ${keyword}`)).toEqual(lost);
});
