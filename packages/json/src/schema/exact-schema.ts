import { valueText } from '../numbers/exact-number-text.js';
import { LongInteger } from '../numbers/read-json.js';
import { setOwn } from '../base/json-values.js';
import { type JsonSchema, isSchema, mapSchema } from './json-schema.js';
import { withWords } from './schema-words.js';

/** Keywords whose values are values of arguments. With rounded ones, a schema would mean other values. */
const VALUES = ['default', 'const', 'enum', 'examples'] as const;

/**
 * A schema of somebody else that `readJson` has read, with numbers alone. A bound is rounded, and so is as good as before. A
 * value that no double holds cannot be checked, filled in or sent, so its keyword becomes words.
 */
export function withoutLongIntegers(schema: JsonSchema): JsonSchema {
  return rounded(withoutLongValues(schema)) as JsonSchema;
}

function withoutLongValues(schema: JsonSchema): JsonSchema {
  const copy = mapSchema(schema, withoutLongValues);
  for (const keyword of VALUES) {
    const value = copy[keyword];
    if (!hasLong(value)) continue;
    delete copy[keyword];
    if (keyword !== 'examples')
      copy.description = withWords(copy.description, `${titles[keyword]}: ${wordsOf(value)}.`);
  }
  return copy;
}

const titles = { default: 'Default', const: 'Always', enum: 'One of' } as const;

function wordsOf(value: unknown): string {
  return Array.isArray(value)
    ? value.map(wordsOf).join(', ')
    : value instanceof LongInteger
      ? String(value)
      : valueText(value);
}

function hasLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof LongInteger || Object.values(value).some(hasLong);
}

/** The same value with a number in place of each long integer. */
function rounded(value: unknown): unknown {
  if (value instanceof LongInteger) return Number(String(value));
  if (!hasLong(value)) return value;
  if (Array.isArray(value)) return value.map(rounded);
  const copy = {};
  for (const [key, each] of Object.entries(value as object)) setOwn(copy, key, rounded(each));
  return copy;
}

/** The schemas of a definition that `readJson` has read, such as those of a tool. */
export function definitionWithoutLongIntegers(definition: unknown): unknown {
  if (typeof definition !== 'object' || definition === null || !hasLong(definition)) return definition;
  const copy: Record<string, unknown> = { ...definition };
  for (const name of ['inputSchema', 'outputSchema'])
    if (isSchema(copy[name])) copy[name] = withoutLongIntegers(copy[name]);
  return rounded(copy);
}
