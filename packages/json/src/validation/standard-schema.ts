import { type JsonSchema, isSchema, mapSchema } from '../schema/json-schema.js';
import { referenceName } from '../schema/references.js';
import { SCHEMA_FLAGS, isRegExp, toUnicodePattern } from '../patterns/parse-pattern.js';
import { cutText } from '../text/cut-text.js';
import type { Problem } from './problem.js';
import { pointerToken, pointerTokens, isComposed, memberAt } from '../base/json-values.js';
import { reasonOf } from '../text/reason-of.js';

/**
 * A schema of Zod, Valibot, ArkType or any other library with Standard Schema (https://standardschema.dev).
 * Its JSON Schema comes from Standard JSON Schema, which such a library or its converter adds.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Exists only for TypeScript. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Missing in libraries that have no Standard JSON Schema. */
    readonly jsonSchema?: StandardConverter | undefined;
  };
}

/** What a schema says about a value. A success has no `issues`. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Writes the JSON Schema of the values that a schema accepts, or of the values that it returns. */
export interface StandardConverter {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
}

/** Whether a value is a schema of such a library. Schemas of ArkType are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { '~standard': standard } = value as { '~standard'?: { validate?: unknown } | null };
  return typeof standard?.validate === 'function';
}

/** The JSON Schema of a schema, or why it has none. */
type StandardJson =
  | { readonly json: JsonSchema; readonly problem?: undefined }
  | { readonly json?: undefined; readonly problem: { readonly what: string; readonly fix: string } };

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
      problem: { what: `is a schema of ${vendor} without a JSON Schema`, fix: ADVICE[vendor] ?? OTHER },
    };
  try {
    const json: unknown = jsonSchema[side]({ target: 'draft-2020-12' });
    if (isSchema(json)) return { json: withUnicodePatterns(withoutDialect(json)) };
    throw new TypeError('The library returned no object.');
  } catch (error) {
    const reason = reasonOf(error);
    return { problem: { what: `cannot be written as JSON Schema by ${vendor}: ${reason}`, fix: REPRESENT } };
  }
}

/** The dialect was requested, and it may only stand at the root of what is published. */
function withoutDialect({ $schema: _, ...json }: JsonSchema): JsonSchema {
  return json;
}

/**
 * Libraries match with the flags of their patterns, and JSON Schema with the u flag. `z.regexes.rfc5322Email` is not
 * a pattern with this flag.
 */
function withUnicodePatterns(schema: JsonSchema): JsonSchema {
  const copy = mapSchema(schema, withUnicodePatterns);
  const { pattern } = copy;
  if (typeof pattern !== 'string' || isRegExp(pattern, SCHEMA_FLAGS)) return copy;
  return { ...copy, pattern: toUnicodePattern(pattern) ?? pattern };
}

/** A schema as a part of a larger one, and its definitions, whose place is at the root. */
interface EmbeddedSchema {
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

/** A name that needs no escapes in a reference. It is added to the names that are used. */
function freeName(wanted: string, used: Set<string>): string {
  const name = wanted.replace(/[^\w.-]/g, '_');
  let found = name;
  for (let count = 2; used.has(found); count++) found = `${name}_${count}`;
  used.add(found);
  return found;
}

/** More issues than this help nobody. A library may find one for each item of a long list. */
const MAX_ISSUES = 100;
const MAX_MESSAGE = 500;
const MAX_DEPTH = 32;

/**
 * The issues that a schema found, as problems of the arguments.
 *
 * @param value what the schema was asked about
 * @param place the pointer of that value in the arguments
 */
export function standardProblems(
  issues: readonly StandardIssue[],
  value: unknown,
  place: string,
): readonly Problem[] {
  return issues.slice(0, MAX_ISSUES).map(({ message, path = [] }): Problem => {
    const tokens = path.slice(0, MAX_DEPTH).map(tokenOf);
    const pointer = `${place}${tokens.map((token) => `/${pointerToken(token)}`).join('')}`;
    const found = memberAt(value, pointerTokens(pointer.slice(place.length)));
    return {
      pointer,
      keyword: 'standard',
      expected: cutText(String(message), MAX_MESSAGE),
      isSentence: true,
      ...(found !== undefined && !isComposed(found) && { received: { value: found } }),
    };
  });
}

/**
 * The problem of a value on which the author's code in a schema failed; undefined if the value is not
 * the cause. A refinement may run into an unexpected value, as `value.length` does for undefined.
 */
export function thrownProblem(error: unknown, pointer: string): Problem | undefined {
  const isValues = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isValues ? { pointer, keyword: 'standard', expected: 'a value that can be read' } : undefined;
}

type Segment = NonNullable<StandardIssue['path']>[number];

function tokenOf(segment: Segment): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}
