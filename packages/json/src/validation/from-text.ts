import type { JsonSchema } from '../schema/json-schema.js';
import { validatorFor } from './validator.js';
import { digitsInPlace, numbersWithoutDigits } from '../constraints/digits-in-place.js';
import { inexactNumbers } from '../numbers/inexact-numbers.js';
import { holdsInteger, readJson } from '../numbers/read-json.js';
import { setOwn, jsonTypeOf } from '../base/json-values.js';
import { referredSchema } from '../schema/references.js';

type Texts = Readonly<Record<string, unknown>>;
type Read = (given: Texts) => Record<string, unknown>;

/**
 * Plans how arguments that arrive as text (of prompts and URI templates) are read by their schemas: as
 * numbers, booleans, null, JSON for objects and arrays, or lists such as `a,b`. If several types are
 * possible, the first that matches the schema is used, and the text itself is tried first. A text that
 * matches none is converted by its type alone, so that validation can say what is wrong. Arguments that the
 * schema does not name stay. Validation refuses or accepts them.
 */
export function planFromText(schema: JsonSchema): Read {
  const readers = new Map(readersOf(schema));
  const readOther = otherReader(schema);
  return (given) => {
    const read = {};
    for (const [name, text] of Object.entries(given))
      setOwn(read, name, (readers.get(name) ?? readOther)(text).value);
    return read;
  };
}

/** Reads a value that the schema does not name: as text, unless the schema has another type for it. */
function otherReader(root: JsonSchema): Reader {
  const { additionalProperties: others } = referredSchema(root, root);
  return typeof others === 'object' ? readerOf(others, root) : (text) => ({ value: text, fits: true });
}

/** The same for incomplete arguments. An argument that cannot be read as any type is missing, too. */
export function planKnownFromText(schema: JsonSchema): Read {
  const readers = readersOf(schema);
  return (given) => {
    const read = {};
    for (const [name, { value, fits }] of readings(readers, given)) if (fits) setOwn(read, name, value);
    return read;
  };
}

/** The names of arguments that may be lists. */
export function listsIn(root: JsonSchema): ReadonlySet<string> {
  const { properties = {} } = referredSchema(root, root);
  const names = Object.keys(properties).filter((name) => typesOf(properties[name]!, root).includes('array'));
  return new Set(names);
}

type Reader = (text: unknown) => { readonly value: unknown; readonly fits: boolean };

function readersOf(root: JsonSchema): readonly (readonly [string, Reader])[] {
  const { properties = {} } = referredSchema(root, root);
  return Object.entries(properties).map(([name, property]) => [name, readerOf(property, root)]);
}

function* readings(readers: readonly (readonly [string, Reader])[], given: Texts) {
  for (const [name, read] of readers)
    if (Object.hasOwn(given, name)) yield [name, read(given[name])] as const;
}

/** A list of lists is less deep, unless a type is a list of itself. */
const MAX_DEPTH = 4;

function readerOf(property: JsonSchema, root: JsonSchema, depth = 0): Reader {
  const types = new Set(typesOf(property, root));
  const items = depth < MAX_DEPTH ? itemsOf(property, root) : undefined;
  const readItem = items && readerOf(items, root, depth + 1);
  const schema = root.$defs ? { ...property, $defs: root.$defs } : property;
  const validator = validatorFor(schema, 'caller');
  return (text) => {
    // The items of an exploded variable.
    if (Array.isArray(text)) {
      const value = text.map((item) => readItem?.(item).value ?? (item as unknown));
      return { value, fits: validator(value) === undefined };
    }
    if (typeof text !== 'string') return { value: text, fits: true };
    const candidates = [...parsed(text, types, schema)];
    if (types.has('array')) candidates.push(text.split(',').map((item) => readItem?.(item).value ?? item));
    const fitting = [text, ...candidates].find((value) => validator(value) === undefined);
    if (fitting !== undefined) return { value: fitting, fits: true };
    return { value: types.has('string') ? text : (candidates[0] ?? text), fits: false };
  };
}

function* parsed(text: string, types: ReadonlySet<string>, schema: JsonSchema): Generator<unknown> {
  if (types.has('boolean') && (text === 'true' || text === 'false')) yield text === 'true';
  if (types.has('number') || types.has('integer')) {
    // Only decimal digits count: people do not write `0x10` for a number.
    const number = text.trim() === '' || /[a-df-z]/i.test(text) ? Number.NaN : Number(text);
    if (Number.isFinite(number) && !losesDigits(text)) yield number;
  }
  if (types.has('null') && text === 'null') yield null;
  if (!types.has('array') && !types.has('object')) return;
  try {
    const value = readJson(text);
    if (typeof value !== 'object') return;
    const numbers = inexactNumbers(value, false);
    if (numbersWithoutDigits(numbers, schema).length === 0) yield digitsInPlace(value, numbers);
  } catch {
    // It is not JSON. It may be a list, or validation refuses it.
  }
}

/** Whether a text is an integer that a double would change. */
function losesDigits(text: string): boolean {
  const digits = text.trim();
  return /^[+-]?\d+$/.test(digits) && !holdsInteger(digits.replace(/^\+/, ''));
}

/** The types of values that a schema allows. With alternatives there may be several. */
function typesOf(schema: JsonSchema, root: JsonSchema, depth = 0): string[] {
  const { type, enum: values, const: only, anyOf = [], oneOf = [] } = referredSchema(schema, root);
  if (type) return ([] as string[]).concat(type);
  if (values) return values.map(jsonTypeOf);
  if (only !== undefined) return [jsonTypeOf(only)];
  if (depth > MAX_DEPTH) return [];
  return [...anyOf, ...oneOf].flatMap((each) => typesOf(each, root, depth + 1));
}

function itemsOf(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { items, anyOf = [] } = referredSchema(schema, root);
  if (typeof items === 'object') return items;
  return anyOf.map((each) => referredSchema(each, root).items).find((each) => typeof each === 'object');
}

/** A property, and its value if it is missing. */
export type Default = readonly [name: string, value: unknown];

/** The defaults of the top-level properties. A `@default` tag without an initialiser is the value that the method gets. */
export function defaultsIn({ properties, anyOf = [] }: JsonSchema): Default[] {
  const [given, nothing, ...others] = anyOf;
  // An object that may be left out as a whole.
  const isOptional = nothing?.additionalProperties === false && !nothing.properties && others.length === 0;
  return Object.entries(properties ?? (isOptional ? given!.properties : undefined) ?? {})
    .map(([name, schema]) => [name, schema.default] as const)
    .filter(([, value]) => value !== undefined);
}

/** Adds the properties that are missing. Nobody may change the default of the next call, so an object is copied. */
export function addDefaults<T extends object>(target: T, defaults: readonly Default[]): T {
  for (const [name, value] of defaults) {
    if (Object.hasOwn(target, name) && (target as Record<string, unknown>)[name] !== undefined) continue;
    setOwn(target, name, typeof value === 'object' ? structuredClone(value) : value);
  }
  return target;
}
