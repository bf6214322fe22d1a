import { HOLDERS, type JsonSchema, isSchema } from './json-schema.js';
import { oncePerSchema } from './once.js';

const annotations = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $anchor $defs definitions contentEncoding contentMediaType contentSchema'.split(
    ' ',
  ),
);

/** True for keywords that forbid nothing. `$defs` and `$anchor` count only where something refers to them. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

/** The differences between a draft of JSON Schema and 2020-12 that matter here. */
export interface Dialect {
  /** Whether keywords beside a `$ref` are ignored, except descriptions. */
  readonly ignoresSiblings: boolean;
}

const LATEST = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const D2019 = /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/;
const OLDER = /^https?:\/\/json-schema\.org\/draft-0[467]\/schema#?$/;

/** True for 2020-12, which the specification requires. */
export const isLatestDialect = (uri: string) => LATEST.test(uri);

/** The draft that a `$schema` names, if it can be rewritten in 2020-12. */
export function olderDialect(uri: unknown): Dialect | undefined {
  if (typeof uri !== 'string') return undefined;
  if (D2019.test(uri)) return { ignoresSiblings: false };
  return OLDER.test(uri) ? { ignoresSiblings: true } : undefined;
}

/** Keywords that contain data. A `$ref` in them is not a reference. */
export const values = new Set(['default', 'const', 'enum', 'examples']);

/** Limits of which the greater one is the stricter, and those of which the smaller one is. */
export const LIMITS = {
  lower: ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
  upper: ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
} as const;

/** Keywords that describe a value and do not constrain it. No library of schemas knows all of them. */
export const NOTES: readonly string[] = [
  'title',
  'description',
  'examples',
  'deprecated',
  'writeOnly',
  'x-sensitive',
];

/** Keywords that doc comments and decorators say about a place, and that no library knows. */
export const PLACE_NOTES: readonly string[] = [...NOTES, 'x-mcp-header'];

/**
 * Calls `visitor` for every keyword of a schema and of the schemas inside it. It skips names and data that
 * look like keywords.
 */
export function visitKeywords(schema: JsonSchema, visitor: (keyword: string, value: unknown) => void): void {
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (values.has(keyword)) continue;
      visitor(keyword, value);
      if (HOLDERS.maps.has(keyword) && typeof value === 'object' && value !== null)
        Object.values(value).forEach(visit);
      else visit(value);
    }
  };
  visit(schema);
}

const known = new Set(
  '$ref anyOf oneOf allOf const enum type properties required additionalProperties items prefixItems minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
);

export const JSON_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'array',
  'object',
]);

/** The keywords of a schema that apply to values; undefined if one of them is unknown. */
export function keywordsOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || keyword === '$schema' || isAnnotation(keyword)) continue;
    if (!known.has(keyword)) return undefined;
    found.add(keyword);
  }
  return found;
}

export function isPrimitive(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Whether values of a schema are sensitive: `writeOnly` arguments, the format `password`, and results with
 * `x-sensitive`, because JSON Schema has no keyword for those.
 */
export function isSensitive(schema: JsonSchema): boolean {
  return schema.writeOnly === true || schema.format === 'password' || schema['x-sensitive'] === true;
}

/** What the text of a schema shows. */
export interface SchemaTraits {
  /** The length of its JSON. */
  readonly length: number;
  /** Whether it contains a sensitive value. */
  readonly hasSensitive: boolean;
  /** Whether a default or examples may contain several values. */
  readonly hasCompoundValues: boolean;
  /** Whether a header mirrors a value of it. */
  readonly hasHeader: boolean;
  /** Whether a reference leads to something else than the whole schema or a definition: an anchor, for example. */
  readonly hasOtherReferences: boolean;
  /** Whether a reference leads to the whole schema. */
  readonly refersToRoot: boolean;
  /** Whether a part has an `$id`, which changes what the references in it mean. */
  readonly hasId: boolean;
}

const knownTraits = new WeakMap<JsonSchema, SchemaTraits>();

/** Examines the text of a schema, once per object, because many schemas share definitions. */
export function traitsOf(schema: JsonSchema): SchemaTraits {
  let traits = knownTraits.get(schema);
  if (!traits) {
    const text = JSON.stringify(schema);
    traits = {
      length: text.length,
      hasSensitive: /"(?:writeOnly|x-sensitive)":true|"format":"password"/.test(text),
      hasCompoundValues: /"(?:default":[[{]|examples":)/.test(text),
      hasHeader: text.includes('"x-mcp-header"'),
      hasOtherReferences: /"\$(?:dynamicRef|ref":"(?!#(?:\/(?:\$defs|definitions)\/[^/"]+)?"))/.test(text),
      refersToRoot: text.includes('"$ref":"#"'),
      hasId: text.includes('"$id":"'),
    };
    knownTraits.set(schema, traits);
  }
  return traits;
}

/**
 * The schema without its definitions, and each definition. Examining these parts covers the whole. `true` is
 * not a part.
 */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.$defs ? split(schema) : [schema];
}

const split = oncePerSchema(({ $defs = {}, ...own }) => [own, ...Object.values($defs).filter(isSchema)]);
