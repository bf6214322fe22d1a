import type { Definition } from '../generator/tjs-adapter.js';

/** The types that a keyword constrains. In JSON Schema, values of all other types pass. */
const CONSTRAINED: Readonly<Record<string, readonly string[]>> = {
  multipleOf: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  minimum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  maxLength: ['string'],
  minLength: ['string'],
  pattern: ['string'],
  items: ['array'],
  maxItems: ['array'],
  minItems: ['array'],
  uniqueItems: ['array'],
  contains: ['array'],
  maxProperties: ['object'],
  minProperties: ['object'],
};

/**
 * The tags without effect, because no value of the type can break them. Each comes with the types of the
 * values.
 *
 * @param tags keywords of a doc comment
 * @param schema the schema that the comment belongs to
 * @param resolve returns the definition that a reference refers to
 */
export function ineffectiveTags(
  tags: Definition,
  schema: Definition,
  resolve: (schema: Definition) => Definition,
): { tag: string; types: string[] }[] {
  const types = typesOf(schema, resolve);
  if (!types) return [];
  return Object.keys(tags)
    .filter((tag) => CONSTRAINED[tag] && !CONSTRAINED[tag].some((type) => types.includes(type)))
    .map((tag) => ({ tag, types }));
}

/** The types of the values that a schema accepts; undefined if it accepts all types, or if this is unknown. */
export function typesOf(
  schema: Definition,
  resolve: (schema: Definition) => Definition,
): string[] | undefined {
  const { type, const: only, anyOf, oneOf, enum: values } = resolve(schema);
  if (type !== undefined) return [type].flat();
  const branches = (anyOf ?? oneOf) as Definition[] | undefined;
  if (branches) {
    const found = branches.map((branch) => typesOf(branch, resolve));
    return found.includes(undefined) ? undefined : [...new Set(found.flatMap((each) => each!))];
  }
  const constants = (values ?? (only === undefined ? undefined : [only])) as unknown[] | undefined;
  return constants && [...new Set(constants.map((value) => (value === null ? 'null' : typeof value)))];
}

/** Formats that the server checks in arguments, and formats that only describe a value. */
const FORMATS = new Set(
  (
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template iri iri-reference url email ' +
    'idn-email hostname idn-hostname ipv4 ipv6 regex uuid json-pointer relative-json-pointer ' +
    'json-pointer-uri-fragment byte binary password int32 int64 float double'
  ).split(' '),
);

/** Formats of numbers in OpenAPI. */
const NUMERIC = new Set(['int32', 'int64', 'float', 'double']);

/** Whether a format is almost a known one: with words behind it, a full stop or capitals. Such a format is not checked. */
export function isAlmostFormat(format: string): boolean {
  const [word = ''] = /^[\w-]*/.exec(format.toLowerCase()) ?? [];
  return !FORMATS.has(format) && FORMATS.has(word);
}

/** Says what is wrong with a format for values of these types; undefined if nothing is wrong. */
export function formatProblem(format: string, types: readonly string[] | undefined): string | undefined {
  if (!FORMATS.has(format)) return `@format ${format} is unknown, so it checks nothing.`;
  if (!types || types.includes('string') || NUMERIC.has(format)) return undefined;
  return `@format ${format} does nothing on a value of the type ${types.join(' or ')}.`;
}
