import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@toolwright/json';

export type OptionsKeyword = 'anyOf' | 'oneOf';

/** Keywords for readers. They stay outside when a schema becomes an alternative. */
const words = ['title', 'description', 'default', 'examples', 'deprecated', '$comment', '$schema', '$defs'];

/**
 * Writes two schemas in the same form if only one of them lists alternatives. A `string` that becomes
 * `anyOf: [string, null]` has gained an alternative.
 */
export function alignOptions(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (isOptions(before, keyword) && !after[keyword]) return [before, asOptions(after, keyword)];
    if (isOptions(after, keyword) && !before[keyword]) return [asOptions(before, keyword), after];
  }
  return [before, after];
}

/** Whether a schema contains only its alternatives. */
function isOptions(schema: JsonSchema, keyword: OptionsKeyword): boolean {
  return (
    Array.isArray(schema[keyword]) &&
    Object.keys(schema).every((key) => key === keyword || words.includes(key))
  );
}

function asOptions(schema: JsonSchema, keyword: OptionsKeyword): JsonSchema {
  const entries = Object.entries(schema);
  const option = Object.fromEntries(entries.filter(([key]) => !words.includes(key))) as JsonSchema;
  const options = Array.isArray(schema.type)
    ? schema.type.map((type) => ({ ...option, type }))
    : // An empty schema allows everything.
      [option];
  return { ...Object.fromEntries(entries.filter(([key]) => words.includes(key))), [keyword]: options };
}

/** The schemas that have no equal in the other list. */
export function without(
  options: readonly JsonSchema[] = [],
  others: readonly JsonSchema[] = [],
): JsonSchema[] {
  return options.filter((option) => !others.some((other) => isDeepStrictEqual(option, other)));
}

/** Whether no value can match two of the alternatives. It only checks types and constant members. */
export function areDisjoint(options: readonly JsonSchema[] = []): boolean {
  return options.every((option, index) => options.slice(index + 1).every((other) => differ(option, other)));
}

function differ(a: JsonSchema, b: JsonSchema): boolean {
  const [types, others] = [kindsOf(a), kindsOf(b)];
  if (types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type))) return true;
  if ('const' in a && 'const' in b) return !isDeepStrictEqual(a.const, b.const);
  return (a.required ?? []).some((name) => {
    const [one, other] = [a.properties?.[name], b.properties?.[name]];
    const areConstant = one !== undefined && other !== undefined && 'const' in one && 'const' in other;
    return areConstant && b.required?.includes(name) === true && !isDeepStrictEqual(one.const, other.const);
  });
}

/** An integer is a number. */
const kindsOf = ({ type }: JsonSchema) =>
  type === undefined ? [] : [type].flat().map((name) => (name === 'integer' ? 'number' : name));
