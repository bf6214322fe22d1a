import { oncePerSchema } from './once.js';
import { anyObjectOf, both, either, isOpen } from './join-schemas.js';
import { type JsonSchema, isSchema, mapSchema, distinct } from './json-schema.js';
import { orderOf, withWords } from './schema-words.js';

/**
 * Keywords that hosts refuse, with the whole tool or the whole request. The first group also says what must not be true,
 * and there a weaker schema would refuse more. test/published-is-weaker.test.ts links the reports.
 */
const REFUSED = new Set(
  (
    'not if then else dependentSchemas dependentRequired dependencies unevaluatedItems unevaluatedProperties contains ' +
    'minContains maxContains propertyNames ' +
    '$id $schema $vocabulary $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef additionalItems contentSchema'
  ).split(' '),
);

/**
 * A schema without the keywords that hosts refuse. It accepts at least what the given one accepts, so that no client
 * refuses a value that the server would take. The description has what a model should know.
 */
export const weaken: (schema: JsonSchema) => JsonSchema = oncePerSchema((schema) =>
  closeOthers(
    schema,
    joinAll(loosenObject(loosenList(loosenNumber(loosenEnum(mapSchema(withoutRefused(schema), weaken)))))),
  ),
);

function withoutRefused(schema: JsonSchema): JsonSchema {
  if (!Object.keys(schema).some((keyword) => REFUSED.has(keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !REFUSED.has(keyword)));
}

/** Strict readers refuse a schema with an empty enum, or one that has a value twice. */
function loosenEnum(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum)) return schema;
  const { enum: values, ...others } = schema;
  const texts = values.map((value) => JSON.stringify(value));
  const once = values.filter((_value, index) => texts.indexOf(texts[index]!) === index);
  return once.length === 0 ? others : { ...others, enum: once };
}

/**
 * Bounds that are not part of the range. A whole number has the next one as its bound. Many readers compute with
 * doubles, and refuse 19.99 as a multiple of 0.01.
 */
function loosenNumber(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step, ...others } = schema;
  if (above === undefined && below === undefined && step === undefined) return schema;
  const isWhole = schema.type === 'integer';
  const words: string[] = [];
  const loose: JsonSchema = others;
  if (typeof above === 'number') {
    const least = isWhole ? Math.floor(above) + 1 : above;
    loose.minimum = Math.max(least, schema.minimum ?? least);
    if (!isWhole) words.push(`Greater than ${above}.`);
  }
  if (typeof below === 'number') {
    const most = isWhole ? Math.ceil(below) - 1 : below;
    loose.maximum = Math.min(most, schema.maximum ?? most);
    if (!isWhole) words.push(`Less than ${below}.`);
  }
  if (Number.isInteger(step)) loose.multipleOf = step!;
  else if (step !== undefined) words.push(`A multiple of ${step}.`);
  if (words.length > 0) loose.description = withWords(schema.description, words.join(' '));
  return loose;
}

/**
 * A tuple as a list of limited length whose items are any of its elements. No keyword for the position of an item
 * is valid in every draft: draft-07 has a list as `items`, which 2020-12 forbids, and a strict reader of draft-07,
 * such as Ajv by default, refuses the whole schema for `prefixItems`. So words say the order, which models read.
 */
function loosenList(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.prefixItems)) {
    if (typeof schema.items !== 'boolean') return schema;
    return { ...schema, items: {}, ...(schema.items ? {} : { maxItems: 0 }) };
  }
  const { prefixItems, items, ...others } = schema;
  const elements = prefixItems.map((each: unknown): JsonSchema => (isSchema(each) ? each : {}));
  const { maxItems: most = Infinity, description } = schema;
  const rest = isSchema(items) ? items : undefined;
  const end = items === false ? Math.min(most, prefixItems.length) : most;
  const isEndless = !rest && end > prefixItems.length;
  const kinds = distinct(rest ? [...elements, rest] : elements);
  return {
    ...others,
    description: withWords(description, orderOf(elements, rest)),
    items: isEndless || kinds.some(isOpen) ? {} : kinds.length === 1 ? kinds[0]! : { anyOf: kinds },
    ...(end < Infinity && { maxItems: end }),
  };
}

/** Properties that are `true` or `false`, and properties by pattern: these are any of what their names may mean. */
function loosenObject(schema: JsonSchema): JsonSchema {
  const { patternProperties: patterns, ...others } = schema;
  const loose: JsonSchema = patterns ? others : { ...schema };
  if (patterns) {
    const other = either([...Object.values(patterns), schema.additionalProperties ?? true]);
    delete loose.additionalProperties;
    if (!isOpen(other)) loose.additionalProperties = other;
  }
  const entries = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  if (entries.some(([, each]: [string, unknown]) => typeof each === 'boolean'))
    loose.properties = Object.fromEntries(
      entries.flatMap(([name, each]: [string, unknown]) =>
        each === false ? [] : [[name, isSchema(each) ? each : {}]],
      ),
    ) as Record<string, JsonSchema>;
  return loose;
}

/** One schema in place of conditions that all count, and `anyOf` as the only choice. */
function joinAll(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf, oneOf, ...own } = schema;
  let joined: JsonSchema = own;
  for (const part of (allOf ?? []) as unknown[]) if (isSchema(part)) joined = both(joined, part);
  for (const choice of [anyOf, oneOf]) if (choice) joined = choose(joined, choice);
  return joined;
}

/** A choice that no schema can hold beside another one is left out. */
function choose(schema: JsonSchema, choice: readonly (boolean | JsonSchema)[]): JsonSchema {
  const possible = choice.filter((option) => option !== false);
  const options = distinct(possible.map((option): JsonSchema => (isSchema(option) ? option : {})));
  if (options.length === 0 || options.some(isOpen)) return schema;
  if (options.length === 1) return both(schema, options[0]!);
  // Some providers take a choice only without other keywords beside it.
  if (schema.type === 'object' && options.every(({ $ref }) => $ref === undefined))
    return both(schema, anyObjectOf(options));
  return schema.anyOf ? schema : { ...schema, anyOf: options };
}

/** Keywords whose schemas may allow a property that the joined schema itself does not name. */
const NAMING = 'patternProperties additionalProperties $ref $dynamicRef not if dependentSchemas'.split(' ');

/** `unevaluatedProperties` is about the properties that no condition names. Once these are joined, they are the others. */
export function closeOthers(given: JsonSchema, joined: JsonSchema): JsonSchema {
  const others = given['unevaluatedProperties'] as boolean | JsonSchema | undefined;
  if (others === undefined || others === true || joined.additionalProperties !== undefined) return joined;
  const parts = partsOf(given);
  const names = parts.flatMap(({ properties }) => Object.keys(properties ?? {}));
  const isKnown = (name: string) => Object.hasOwn(joined.properties ?? {}, name);
  const hasOthers = parts.some((part, index) =>
    [...NAMING, ...(index > 0 ? ['unevaluatedProperties'] : [])].some(
      (keyword) => part[keyword] !== undefined,
    ),
  );
  if (hasOthers || !names.every(isKnown)) return joined;
  return { ...joined, additionalProperties: others && weaken(others) };
}

/** A schema and the conditions in it that are about the same value. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].filter(isSchema).flatMap(partsOf)];
}
