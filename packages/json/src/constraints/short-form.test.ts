import { toClientSafe } from '../schema/client-safe-profile.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { shortForm, unpublishedIn } from './short-form.js';
import { semanticVersion, urlPattern, uuidPattern } from './text-patterns.js';

const uuid = { type: 'string', format: 'uuid', pattern: uuidPattern('all')! };
const site = { type: 'string', pattern: urlPattern({}) };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });

test('a format that says the same leaves no words', () => {
  expect(shortForm(uuid)).toEqual({ type: 'string', format: 'uuid' });
});

test('a version that the format does not say is in words', () => {
  expect(shortForm({ ...uuid, pattern: uuidPattern('4')! })).toEqual({
    type: 'string',
    format: 'uuid',
    description: 'A UUID of version 4.',
  });
});

test('two patterns of one value are both in words', () => {
  expect(shortForm({ ...site, allOf: [{ pattern: semanticVersion }, { minLength: 2 }] })).toEqual({
    type: 'string',
    allOf: [{ minLength: 2 }],
    description: 'A URL such as "https://example.com/page". A semantic version such as "1.2.3".',
  });
});

test('parts are shortened at any depth, also those of a reference', () => {
  const schema: JsonSchema = {
    ...object({ sites: { type: 'array', items: site }, to: { $ref: '#/$defs/To' } }),
    $defs: { To: object({ id: uuid }) },
  };
  expect(JSON.stringify(shortForm(schema))).not.toContain('pattern');
});

test.each(['not', 'if', 'propertyNames'])(
  'below %s nothing is shortened: it would refuse more',
  (keyword) => {
    const schema = { type: 'object', [keyword]: site };
    expect(shortForm(schema)).toEqual(schema);
  },
);

test('alternatives of which exactly one may match stay apart', () => {
  const schema = { oneOf: [uuid, site] };
  expect(shortForm(schema)).toEqual(schema);
});

test('a schema without a pattern of a validator stays the same object, and so do shared definitions', () => {
  const shared = object({ code: { type: 'string', pattern: '^[a-z]+$' } });
  const plain = { ...object({ it: { $ref: '#/$defs/It' } }), $defs: { It: shared } };
  expect(shortForm(plain)).toEqual(plain);
  const mixed = { ...object({ it: { $ref: '#/$defs/It' }, id: uuid }), $defs: { It: object({ id: uuid }) } };
  const other = { ...object({ id: uuid }), $defs: mixed.$defs };
  expect(shortForm(mixed).$defs!['It']).toBe(shortForm(other).$defs!['It']);
});

test('a data of an author that looks like a pattern stays', () => {
  const schema = { type: 'object', default: { pattern: uuid.pattern }, enum: [{ pattern: uuid.pattern }] };
  expect(shortForm(schema)).toEqual(schema);
});

test('what is left out is listed, with its place and what is published instead', () => {
  const schema = object({ id: uuid, sites: { type: 'array', items: site }, code: { pattern: '^a$' } });
  expect(unpublishedIn(schema)).toEqual([
    { path: '/properties/id', pattern: uuid.pattern, instead: 'format: uuid' },
    {
      path: '/properties/sites/items',
      pattern: site.pattern,
      instead: 'a URL such as "https://example.com/page"',
    },
  ]);
});

test('the short form of what is published is what is published in short', () => {
  const natural = object({ site: { type: ['string', 'null'], default: null, pattern: site.pattern } });
  const all = toClientSafe(natural, { role: 'input' });
  expect(shortForm(all)).toEqual(shortForm(structuredClone(all)));
  expect(JSON.stringify(shortForm(all))).not.toContain('pattern');
});

test('what the short form leaves out is found in every part that it enters', () => {
  const schema: JsonSchema = { type: 'object', unevaluatedProperties: uuid };
  expect(shortForm(schema)).not.toEqual(schema);
  expect(unpublishedIn(schema).map(({ path }) => path)).toEqual(['/unevaluatedProperties']);
});
