import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, type JsonSchema, toClientSafe, validatorFor } from '@toolwright/json';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';

/*
 * What clients get may accept more than the server, and never less: a client that checks arguments would refuse a call that
 * the server takes.
 */

const roles = ['input', 'output'] as const;
type Role = (typeof roles)[number];

/** Formats are asserted by the server alone. Keywords of authors (`x-…`) are no part of these schemas. */
const settings = { validateFormats: false, logger: false, strictTypes: false, ownProperties: true } as const;

/** Readers of both drafts load a published schema in their strict modes. */
const drafts = [new Ajv(settings), new Ajv2020(settings)];
const readersOf = (published: JsonSchema) => drafts.map((ajv) => ajv.compile(published));

/** What no host of the table takes, at any depth; and what none takes at the root of an input. */
const NOWHERE =
  /"(?:not|if|then|else|dependentSchemas|dependentRequired|unevaluated\w+|contains|prefixItems|patternProperties|propertyNames|exclusiveM\w+|oneOf|\$id|\$schema|\$anchor|\$dynamic\w+)":/;
const AT_THE_ROOT = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if'];

/** Says how a published schema breaks the rule for some values; undefined if it does not. */
function breachOf(schema: JsonSchema, values: readonly unknown[], role: Role): string | undefined {
  const published = toClientSafe(schema, { role });
  const again = toClientSafe(JSON.parse(JSON.stringify(published)) as JsonSchema, { role });
  if (canonicalJson(again) !== canonicalJson(published))
    return `${JSON.stringify(published)} is not the same when published again: ${JSON.stringify(again)}`;
  if (role === 'input') {
    const found = AT_THE_ROOT.find((keyword) => published[keyword] !== undefined);
    if (found || published.type !== 'object') return `the root has ${found ?? 'no type'}`;
  }
  const readers = readersOf(published);
  const isExact = validatorFor(schema, 'method');
  const given = role === 'input' ? values.filter(isObject) : values;
  const refused = given.find((value) => !isExact(value) && !readers.every((reads) => reads(value)));
  return refused === undefined ? undefined : `${JSON.stringify(refused)} by ${JSON.stringify(published)}`;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 1.5, 3, -1, '', 'a', 'b', 'ab', 'abc'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ab', '__proto__'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ab'), values, { maxKeys: 4 });

const name = fc.constantFrom('a', 'b', 'c');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const size = fc.integer({ min: 0, max: 3 });

/** Every keyword, in any combination; most of them meet each other in some run. */
const schemas = fc.letrec<{ schema: JsonSchema | boolean; whole: JsonSchema }>((tie) => {
  const inner = tie('schema');
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, inner, { minKeys: 1, maxKeys: 3 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(fc.constantFrom<unknown>(null, 1, 1.5, 'a', 'b', [], [1], { a: 1 }), {
      minLength: 1,
      maxLength: 3,
    }),
    const: fc.constantFrom(null, 1, 'a', true),
    default: fc.constant(null),
    description: fc.constantFrom('Words', 'A sentence.'),
    $ref: fc.constantFrom('#/$defs/one', '#/$defs/two', '#'),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { minKeys: 1, maxKeys: 2 }),
    additionalProperties: inner,
    unevaluatedProperties: inner,
    propertyNames: inner,
    required: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
    dependentRequired: fc.constant({ a: ['b'] }),
    dependentSchemas: named,
    minProperties: size,
    maxProperties: size,
    items: inner,
    prefixItems: several,
    contains: inner,
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    minimum: size,
    maximum: size,
    exclusiveMinimum: fc.constantFrom(0, 1, 1.5),
    exclusiveMaximum: fc.constantFrom(1, 2, 2.5),
    multipleOf: fc.constantFrom(1, 0.5, 0.1),
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom('^a', 'b$'),
    anyOf: several,
    oneOf: several,
    allOf: several,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
  };
  const chosen = fc.subarray(Object.keys(keywords), { maxLength: 5 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: fc.record({ type }) as fc.Arbitrary<JsonSchema>, weight: 3 },
      { arbitrary: tie('whole'), weight: 6 },
    ),
    whole: chosen.chain((names) =>
      fc.record(Object.fromEntries(names.map((each) => [each, keywords[each]!]))),
    ) as fc.Arbitrary<JsonSchema>,
  };
});

const documents = fc
  .tuple(schemas.whole, schemas.whole, schemas.whole)
  .map(([root, one, two]): JsonSchema => ({ ...root, $defs: { one, two } }));

test.each(roles)(
  'a published %s refuses nothing that the exact schema accepts, and is publishable',
  (role) => {
    const given = fc.array(role === 'input' ? objects : values, { minLength: 10, maxLength: 20 });
    fc.assert(
      fc.property(documents, given, (schema, several) => {
        expect(breachOf(schema, several, role)).toBeUndefined();
      }),
      {
        numRuns: 250,
        seed: Number(process.env['PUBLISHED_SEED'] ?? 54),
      },
    );
  },
);

type Suite = Record<string, readonly [string, JsonSchema | boolean, ...[string, unknown, boolean][]][]>;
const suite = JSON.parse(
  readFileSync(join(__dirname, 'fixtures/json-schema-tests/draft2020-12.json'), 'utf8'),
) as Suite;

test('the rule holds for every schema of the official suite, as a whole and as a property', () => {
  const breaches: string[] = [];
  for (const [file, groups] of Object.entries(suite))
    for (const [what, schema, ...cases] of groups) {
      if (typeof schema === 'boolean') continue;
      const given = cases.map(([, value]) => value);
      const note = (breach: string | undefined) => breach && breaches.push(`${file}: ${what}: ${breach}`);
      for (const role of roles) note(breachOf(schema, given, role));
      const inside = { type: 'object', properties: { x: schema }, required: ['x'] };
      if (!/"\$(?:ref|dynamicRef|id)"/.test(JSON.stringify(schema)))
        note(
          breachOf(
            inside,
            given.map((x) => ({ x })),
            'input',
          ),
        );
      if (
        NOWHERE.test(JSON.stringify(toClientSafe(inside, { role: 'input' }))) &&
        !/ref|defs|properties with|enum|const/i.test(file)
      )
        breaches.push(
          `${file}: ${what}: a keyword stays in ${JSON.stringify(toClientSafe(inside, { role: 'input' }))}`,
        );
    }
  expect(breaches).toEqual([]);
});

const published = (schema: JsonSchema) => toClientSafe(schema, { role: 'input' });
const text: JsonSchema = { type: 'string' };

/* Schemas of public servers that hosts refused, in their form; the reports are linked. */
test.each<[string, JsonSchema, JsonSchema]>([
  [
    'https://github.com/modelcontextprotocol/servers/issues/1624',
    { type: 'object', properties: { max: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1e6 } } },
    { type: 'object', properties: { max: { type: 'integer', minimum: 1, maximum: 999_999 } } },
  ],
  [
    'https://github.com/hideya/langchain-mcp-tools-ts/issues/36',
    {
      type: 'object',
      properties: { x: { anyOf: [{ type: 'number', exclusiveMinimum: 0.5 }, { type: 'null' }] } },
    },
    {
      type: 'object',
      properties: {
        x: { anyOf: [{ type: 'number', minimum: 0.5, description: 'Greater than 0.5.' }, { type: 'null' }] },
      },
    },
  ],
  [
    'https://github.com/microsoft/vscode/issues/284536',
    { type: 'object', properties: { tags: { type: 'array' } } },
    { type: 'object', properties: { tags: { type: 'array', items: {} } } },
  ],
  [
    'https://github.com/dearlordylord/huly-mcp/issues/66',
    {
      type: 'object',
      properties: { title: text, body: text },
      required: ['title'],
      anyOf: [{ required: ['body'] }, { required: ['title'] }],
    },
    { type: 'object', properties: { title: text, body: text }, required: ['title'] },
  ],
  [
    'https://github.com/langchain-ai/langchain/issues/39271',
    {
      type: 'object',
      anyOf: [
        { type: 'object', properties: { content: text }, required: ['content'] },
        { type: 'object', properties: { source_url: text }, required: ['source_url'] },
      ],
    },
    // Each alternative is open, so the exact schema takes `{ content: 1, source_url: "a" }`.
    {
      type: 'object',
      properties: {
        content: { description: 'Usually: string.' },
        source_url: { description: 'Usually: string.' },
      },
    },
  ],
  [
    'https://github.com/makenotion/notion-mcp-server/issues/102',
    {
      type: 'object',
      properties: { data: { allOf: [{ type: 'object', properties: { a: text } }, { required: ['a'] }] } },
    },
    { type: 'object', properties: { data: { type: 'object', properties: { a: text }, required: ['a'] } } },
  ],
  [
    'https://github.com/zendev-sh/zenflow/issues/14',
    {
      type: 'object',
      properties: { env: { type: 'object', propertyNames: text, additionalProperties: text } },
    },
    { type: 'object', properties: { env: { type: 'object', additionalProperties: text } } },
  ],
  [
    'https://github.com/makenotion/notion-mcp-server/issues/42',
    { type: 'object', properties: { direction: { enum: ['ascending', 'descending'] } } },
    { type: 'object', properties: { direction: { type: 'string', enum: ['ascending', 'descending'] } } },
  ],
  [
    'https://github.com/anomalyco/opencode/issues/11889',
    {
      type: 'object',
      properties: { data: { type: ['object', 'null'], properties: { a: text }, required: ['a'] } },
    },
    {
      type: 'object',
      properties: {
        data: { anyOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { type: 'null' }] },
      },
    },
  ],
  [
    'https://github.com/nanbingxyz/5ire/issues/218',
    { type: 'object', properties: { to: { type: ['string', 'array'], minLength: 1, items: text } } },
    {
      type: 'object',
      properties: {
        to: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', items: text },
          ],
        },
      },
    },
  ],
  [
    'https://github.com/nspady/google-calendar-mcp/issues/39',
    {
      type: 'object',
      properties: { id: text, scope: { type: 'string', enum: ['all', 'future'] }, from: text },
      required: ['id'],
      allOf: [{ if: { properties: { scope: { const: 'future' } } }, then: { required: ['from'] } }],
      not: { required: ['nothing'] },
    },
    {
      type: 'object',
      properties: { id: text, scope: { type: 'string', enum: ['all', 'future'] }, from: text },
      required: ['id'],
    },
  ],
])('a schema that a host refused is published so that it takes it: %s', (_report, schema, expected) => {
  expect(published(schema)).toEqual(expected);
});

test('two conditions become one schema that takes what both take', () => {
  const condition = (a: JsonSchema): JsonSchema => ({ properties: { a }, required: ['a'] });
  const schema: JsonSchema = {
    type: 'object',
    allOf: [
      condition({ type: 'number', minimum: 1 }),
      condition({ type: 'integer', minimum: 0, maximum: 5 }),
    ],
  };
  expect(published(schema)).toEqual({
    type: 'object',
    properties: { a: { type: 'integer', minimum: 1, maximum: 5 } },
    required: ['a'],
  });
});

test('a root that leads back to itself, and one that doubles itself, are published', () => {
  const itself: JsonSchema = {
    $ref: '#/$defs/A',
    $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { required: ['a'] }] } },
  };
  expect(published(itself)).toMatchObject({ type: 'object' });
  const doubled = Object.fromEntries(
    Array.from({ length: 26 }, (_, level): [string, JsonSchema] => {
      const below = { $ref: `#/$defs/L${level - 1}` };
      return [
        `L${level}`,
        level === 0 ? { type: 'object' } : { anyOf: [below, { ...below, required: ['a'] }] },
      ];
    }),
  );
  expect(JSON.stringify(published({ $ref: '#/$defs/L25', $defs: doubled })).length).toBeLessThan(20_000);
});
