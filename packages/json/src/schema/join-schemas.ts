import { type JsonSchema, isSchema, distinct } from './json-schema.js';
import { isAnnotation, LIMITS } from './keywords.js';
import { withWords, wordsOf } from './schema-words.js';

/**
 * Schemas in place of `allOf`, `anyOf` and `oneOf`, for readers that refuse these keywords. Each result accepts at
 * least what the keyword accepts. Where no single schema says the same, the result accepts more.
 */

/** True for a schema that accepts every value. */
export function isOpen(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => isAnnotation(keyword) || keyword === '$schema');
}

/** How two values of a keyword become one. Of every other keyword, the first value counts. */
const joins = new Map<string, (first: never, second: never) => unknown>([
  ['type', commonTypes],
  ['enum', commonValues],
  ['properties', joinProperties],
  ['additionalProperties', joinOther],
  ['items', joinOther],
  ['required', (first: string[], second: string[]) => [...new Set([...first, ...second])]],
  ['uniqueItems', (first: boolean, second: boolean) => first || second],
  ...LIMITS.lower.map((name) => [name, Math.max] as const),
  ...LIMITS.upper.map((name) => [name, Math.min] as const),
]);

/** A schema for what both accept, or for more. */
export function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const joined: JsonSchema = { ...second, ...first };
  for (const [keyword, join] of joins)
    if (first[keyword] !== undefined && second[keyword] !== undefined)
      joined[keyword] = join(first[keyword] as never, second[keyword] as never);
  const patterns = patternsOf(first, second);
  if (patterns.length > 1) joined.allOf = patterns.slice(1).map((pattern) => ({ pattern }));
  return joined;
}

/** No keyword but `allOf` holds a second pattern. The short form of a schema has words in its place. */
function patternsOf(...schemas: JsonSchema[]): string[] {
  const own = schemas.flatMap(({ pattern }) => pattern ?? []);
  return [
    ...new Set([...own, ...schemas.flatMap(({ allOf = [] }) => allOf.flatMap((part) => part.pattern ?? []))]),
  ];
}

function joinOther(first: boolean | JsonSchema, second: boolean | JsonSchema): boolean | JsonSchema {
  if (first === false || second === false) return false;
  if (!isSchema(first)) return second;
  return isSchema(second) ? both(first, second) : first;
}

function joinProperties(first: Properties, second: Properties): Properties {
  const joined = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    const known = joined.get(name);
    joined.set(name, known ? both(known, schema) : schema);
  }
  return Object.fromEntries(joined);
}

type Properties = Record<string, JsonSchema>;

/** Nothing accepts a value of no type, and readers refuse a schema that says so: then the first types stay. */
function commonTypes(first: string | string[], second: string | string[]): string | string[] {
  const ours = [first].flat();
  const theirs = [second].flat();
  const has = (types: string[], type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [
    ...new Set([...ours.filter((type) => has(theirs, type)), ...theirs.filter((type) => has(ours, type))]),
  ];
  if (common.length === 0) return first;
  return common.length === 1 ? common[0]! : common;
}

function commonValues(first: unknown[], second: unknown[]): unknown[] {
  const known = new Set(second.map((value) => JSON.stringify(value)));
  const common = first.filter((value) => known.has(JSON.stringify(value)));
  return common.length === 0 ? first : common;
}

/** An object for all objects that at least one alternative accepts. Alternatives of other types do not count. */
export function anyObjectOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const options = alternatives.filter(({ type }) => type === undefined || [type].flat().includes('object'));
  const names = new Set(options.flatMap(({ properties }) => Object.keys(properties ?? {})));
  // An open alternative that does not name a property accepts every value of it.
  const valuesOf = (name: string) =>
    options.map(({ properties = {}, additionalProperties: other = true }) =>
      Object.hasOwn(properties, name) ? properties[name]! : other,
    );
  const properties = [...names].map((name) => [name, either(valuesOf(name))] as const);
  const other = options.map(({ additionalProperties = true }) => additionalProperties);
  const required = [...(options[0]?.required ?? [])].filter((name) =>
    options.every((option) => option.required?.includes(name)),
  );
  const isClosed = options.length > 0 && other.every((each) => each === false);
  const rest = other.every((each) => each !== true) && either(other);
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) as Properties }),
    ...(required.length > 0 && { required }),
    ...(isClosed ? { additionalProperties: false } : rest && !isOpen(rest) && { additionalProperties: rest }),
  };
}

/**
 * A schema for every value that at least one accepts. Literals become one enum, so that a model sees the values of a
 * discriminator. The rest becomes a choice.
 */
export function either(given: readonly (boolean | JsonSchema)[]): JsonSchema {
  const all = given.filter((each) => each !== false).map((each): JsonSchema => (each === true ? {} : each));
  const schemas = distinct(all);
  if (schemas.length <= 1) return schemas[0] ?? {};
  if (schemas.some(isOpen)) return describedOnly(schemas);
  const values = schemas.map(literals);
  if (!values.every((each) => each !== undefined)) return { anyOf: schemas };
  const types = new Set(schemas.map(({ type }) => type));
  const [type] = types;
  const description = schemas.find((schema) => schema.description !== undefined)?.description;
  return {
    ...(types.size === 1 && type !== undefined && { type }),
    ...(description !== undefined && { description }),
    enum: [...new Map(values.flat().map((value) => [JSON.stringify(value), value])).values()],
  };
}

/** Every value is accepted, so only words tell a model what is usual. */
function describedOnly(schemas: readonly JsonSchema[]): JsonSchema {
  const usual = schemas.find((schema) => !isOpen(schema));
  const described = schemas.find(({ description }) => description !== undefined);
  const title = schemas.find((schema) => schema.title !== undefined)?.title;
  return {
    ...(title !== undefined && { title }),
    ...((described || usual) && {
      description: usual
        ? withWords(described?.description, `Usually: ${wordsOf(usual)}.`)
        : described!.description!,
    }),
  };
}

function literals(schema: JsonSchema): unknown[] | undefined {
  return Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
}
