import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@toolwright/manifest';

export type OptionsKeyword = 'anyOf' | 'oneOf';

/** Words for readers; they stay where they are when a schema becomes an option. */
const words = ['title', 'description', 'default', 'examples', 'deprecated', '$comment', '$schema', '$defs'];

/**
 * Writes two schemas in the same way where one of them lists options and the other is a single one: a `string` that
 * becomes `anyOf: [string, null]` has gained an option.
 */
export function alignOptions(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (isOptions(before, keyword) && !after[keyword]) return [before, asOptions(after, keyword)];
    if (isOptions(after, keyword) && !before[keyword]) return [asOptions(before, keyword), after];
  }
  return [before, after];
}

/** A schema that says nothing but its options. */
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
    : // Nothing said is anything allowed.
      [option];
  return { ...Object.fromEntries(entries.filter(([key]) => words.includes(key))), [keyword]: options };
}

/** Those that have no equal among the others. */
export function without(
  options: readonly JsonSchema[] = [],
  others: readonly JsonSchema[] = [],
): JsonSchema[] {
  return options.filter((option) => !others.some((other) => isDeepStrictEqual(option, other)));
}

/** Whether no value can fit two of the options, as far as can be seen at a glance: by type, or by a constant member. */
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

/** Integers are numbers. */
const kindsOf = ({ type }: JsonSchema) =>
  type === undefined ? [] : [type].flat().map((name) => (name === 'integer' ? 'number' : name));
