import { isSchema, mapSchema, referenceName, type JsonSchema } from '@toolwright/manifest';
import { isRegExp, SCHEMA_FLAGS } from '../patterns/parse-pattern.js';
import { toUnicodePattern } from '../patterns/to-unicode-pattern.js';
import type { StandardSchema } from './standard-schema.js';

/** The JSON Schema of a schema, or why it has none. */
export type StandardJson =
  | { readonly json: JsonSchema; readonly fault?: undefined }
  | { readonly json?: undefined; readonly fault: { readonly what: string; readonly fix: string } };

/** What to do if a schema of a library brings no JSON Schema. */
const ADVICE: Readonly<Record<string, string>> = {
  zod: 'Use Zod 4.2 or later, imported from "zod".',
  valibot: 'Wrap it: toStandardJsonSchema(schema), from @valibot/to-json-schema.',
  arktype: 'Use ArkType 2.1.28 or later.',
};
const OTHER =
  'Use a library with Standard JSON Schema, or declare the type and its constraints in TypeScript.';
const REPRESENT =
  'Describe the JSON that clients send, and convert it in the schema: for a date, a text that is transformed. Or declare the type in TypeScript.';

/**
 * Asks a schema for its JSON Schema.
 *
 * @param side `input`: what the schema accepts; `output`: what it returns
 */
export function standardJson(
  { '~standard': { vendor, jsonSchema } }: StandardSchema,
  side: 'input' | 'output',
): StandardJson {
  if (!jsonSchema)
    return {
      fault: { what: `is a schema of ${vendor} without a JSON Schema`, fix: ADVICE[vendor] ?? OTHER },
    };
  try {
    const json: unknown = jsonSchema[side]({ target: 'draft-2020-12' });
    if (isSchema(json)) return { json: withUnicodePatterns(withoutDialect(json)) };
    throw new TypeError('The library returned no object.');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: { what: `cannot be written as JSON Schema by ${vendor}: ${reason}`, fix: REPRESENT } };
  }
}

/** The dialect was requested, and it may only stand at the root of what is published. */
function withoutDialect({ $schema: _, ...json }: JsonSchema): JsonSchema {
  return json;
}

/**
 * Libraries match with the flags of their patterns, and JSON Schema with the u flag. `z.regexes.rfc5322Email` is no
 * pattern with this flag.
 */
function withUnicodePatterns(schema: JsonSchema): JsonSchema {
  const copy = mapSchema(schema, withUnicodePatterns);
  const { pattern } = copy;
  if (typeof pattern !== 'string' || isRegExp(pattern, SCHEMA_FLAGS)) return copy;
  return { ...copy, pattern: toUnicodePattern(pattern) ?? pattern };
}

/** A schema as a part of a larger one, and its definitions, whose place is at the root. */
export interface EmbeddedSchema {
  readonly schema: JsonSchema;
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/**
 * Makes a complete schema a part of a larger one. Its references are relative to its own root, so they change
 * with its place.
 *
 * @param name the name for the schema itself, if it refers to itself
 * @param taken the names of the definitions that the larger schema has
 */
export function embedSchema(json: JsonSchema, name: string, taken: ReadonlySet<string>): EmbeddedSchema {
  const { $defs: own = {}, ...root } = json;
  const used = new Set(taken);
  const names = new Map(Object.keys(own).map((each) => [each, freeName(each, used)]));
  const self = freeName(name, used);
  let isRecursive = false;
  const rewrite = (schema: JsonSchema): JsonSchema => {
    const copy = mapSchema(schema, rewrite);
    if (copy.$ref === '#') isRecursive = true;
    const target = copy.$ref === '#' ? self : names.get(referenceName(copy) ?? '');
    return target === undefined ? copy : { ...copy, $ref: `#/$defs/${target}` };
  };
  const schema = rewrite(root);
  const $defs: Record<string, JsonSchema> = {};
  for (const [each, definition] of Object.entries(own)) $defs[names.get(each)!] = rewrite(definition);
  if (isRecursive) $defs[self] = schema;
  return { schema, $defs };
}

/** A name that needs no escapes in a reference. It is added to those that are used. */
function freeName(wanted: string, used: Set<string>): string {
  const name = wanted.replace(/[^\w.-]/g, '_');
  let found = name;
  for (let count = 2; used.has(found); count++) found = `${name}_${count}`;
  used.add(found);
  return found;
}
