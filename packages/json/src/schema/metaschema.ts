import { lazily } from './once.js';
import type { JsonSchema } from './json-schema.js';

type Schemas = Record<string, unknown>;

/** The same schema below several names. */
const each = (names: string, schema: unknown): Schemas =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]));

const text = { type: 'string' };
const flag = { type: 'boolean' };
const address = { type: 'string', format: 'uri-reference' };
const anchor = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };
const size = { type: 'integer', minimum: 0 };
const names = { type: 'array', items: text, uniqueItems: true };
const typeName = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };
const types = { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] };
const byName = (schema: unknown) => ({ type: 'object', additionalProperties: schema });
const byPattern = (schema: unknown) => ({ ...byName(schema), propertyNames: { format: 'regex' } });
const someOf = (schema: unknown) => ({ type: 'array', minItems: 1, items: schema });

/** The schemas in `$defs` keep their names, because references of other schemas may lead there. */
const definitions = {
  nonNegativeInteger: size,
  nonNegativeIntegerDefault0: size,
  simpleTypes: typeName,
  stringArray: names,
};

const numbers = {
  ...each('maximum exclusiveMaximum minimum exclusiveMinimum', { type: 'number' }),
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
};

const VOCABULARY = 'https://json-schema.org/draft/2020-12/meta/';
const ANY = { $dynamicRef: '#meta' };

/** One vocabulary of 2020-12. */
const vocabulary = (name: string, properties: Schemas, $defs?: Schemas): JsonSchema => ({
  $id: VOCABULARY + name,
  $dynamicAnchor: 'meta',
  type: ['object', 'boolean'],
  properties: properties as Record<string, JsonSchema>,
  ...($defs && { $defs: $defs as Record<string, JsonSchema> }),
});

const vocabularies = (): Record<string, JsonSchema> => ({
  core: vocabulary(
    'core',
    {
      $id: { ...address, pattern: '^[^#]*#?$' },
      $schema: { type: 'string', format: 'uri' },
      ...each('$ref $dynamicRef', address),
      ...each('$anchor $dynamicAnchor', anchor),
      $vocabulary: { ...byName(flag), propertyNames: { type: 'string', format: 'uri' } },
      $comment: text,
      $defs: byName(ANY),
    },
    { anchorString: anchor, uriString: { type: 'string', format: 'uri' }, uriReferenceString: address },
  ),
  applicator: vocabulary(
    'applicator',
    {
      ...each('items contains additionalProperties propertyNames if then else not', ANY),
      ...each('prefixItems allOf anyOf oneOf', someOf(ANY)),
      ...each('properties dependentSchemas', byName(ANY)),
      patternProperties: byPattern(ANY),
    },
    { schemaArray: someOf(ANY) },
  ),
  unevaluated: vocabulary('unevaluated', each('unevaluatedItems unevaluatedProperties', ANY)),
  validation: vocabulary(
    'validation',
    {
      type: types,
      enum: { type: 'array' },
      ...numbers,
      ...each(
        'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties',
        size,
      ),
      pattern: { type: 'string', format: 'regex' },
      uniqueItems: flag,
      required: names,
      dependentRequired: byName(names),
    },
    definitions,
  ),
  'meta-data': vocabulary('meta-data', {
    ...each('title description', text),
    ...each('deprecated readOnly writeOnly', flag),
    examples: { type: 'array' },
  }),
  'format-annotation': vocabulary('format-annotation', { format: text }),
  content: vocabulary('content', {
    ...each('contentEncoding contentMediaType', text),
    contentSchema: ANY,
  }),
});

/** The schema of all schemas of 2020-12, which holds its vocabularies. */
const latest = lazily((): JsonSchema => {
  const $defs = vocabularies();
  return {
    $id: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicAnchor: 'meta',
    allOf: Object.values($defs).map(({ $id }) => ({ $ref: String($id) })),
    type: ['object', 'boolean'],
    properties: {
      definitions: byName(ANY),
      dependencies: byName({ anyOf: [ANY, names] }),
      $recursiveAnchor: anchor,
      $recursiveRef: address,
    } as Record<string, JsonSchema>,
    $defs,
  };
});

/** The schema of all schemas of draft-07, in words of 2020-12. */
const draft7 = lazily((): JsonSchema => {
  const any = { $ref: '#' };
  return {
    $id: 'http://json-schema.org/draft-07/schema',
    type: ['object', 'boolean'],
    definitions: { ...definitions, schemaArray: someOf(any) },
    properties: {
      ...each('$id $ref', address),
      $schema: { type: 'string', format: 'uri' },
      ...each('$comment title description format contentMediaType contentEncoding', text),
      ...each('readOnly uniqueItems', flag),
      ...numbers,
      ...each('maxLength minLength maxItems minItems maxProperties minProperties', size),
      pattern: { type: 'string', format: 'regex' },
      ...each('additionalItems contains additionalProperties propertyNames if then else not', any),
      ...each('allOf anyOf oneOf', someOf(any)),
      items: { anyOf: [any, someOf(any)] },
      required: names,
      ...each('definitions properties', byName(any)),
      patternProperties: byPattern(any),
      dependencies: byName({ anyOf: [any, names] }),
      enum: { type: 'array', minItems: 1, uniqueItems: true },
      examples: { type: 'array' },
      type: types,
    } as Record<string, JsonSchema>,
  };
});

/** A schema that every document may refer to. All others must be in the document, because nothing is fetched. */
export function knownSchemaAt(address: string): JsonSchema | undefined {
  if (address === 'http://json-schema.org/draft-07/schema') return draft7();
  return address === latest().$id || address.startsWith(VOCABULARY) ? latest() : undefined;
}
