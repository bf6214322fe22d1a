import { isDoubtful } from '../text/clean-text.js';
import { isLongInteger } from '../numbers/exact-number-text.js';
import { hasLongDigits, LongInteger } from '../numbers/read-json.js';
import { sets } from '../text/hidden-characters.js';
import { ESCAPED_HALF, isWellFormed, wellFormedJson } from '../text/well-formed.js';
import { setOwn } from '../base/json-values.js';
import { toJson } from '../values/to-json.js';
import { withoutExcluded } from '../values/class-transformer.js';
import type { OutputWriter, Written } from './output-node.js';

/**
 * Thrown if a value is not certainly right: it breaks its schema, or is of a rare kind. The exact writer then
 * decides, and says why. This is not an Error, because a stack trace would cost more than the whole result.
 */
export const UNSURE = { unsure: true } as const;

/** References are followed to this depth. The exact writer handles deeper values. */
const DEEPEST = 64;

/** The depth in the current result. Writing is synchronous, so there is only one current result. */
let depth = 0;
let isDoubtfulText = false;

interface Writer {
  write(value: unknown): string;
}

/**
 * Writes a value in one pass if that is certainly right. The exact writer handles rare and wrong values.
 *
 * @param makeFast called with the first value
 */
export function wholeWriter(makeFast: () => Writer, exact: OutputWriter): OutputWriter {
  let fast: Writer | undefined;
  return (returned) => {
    // If a method returns nothing, JSON has null.
    const value = returned ?? null;
    return writeWhole((fast ??= makeFast()), value) ?? exact(value);
  };
}

/**
 * Writes a whole value.
 *
 * @returns undefined if the result is not certainly right
 */
export function writeWhole(writer: Writer, value: unknown): Written | undefined {
  const before = { depth, isDoubtfulText };
  depth = 0;
  isDoubtfulText = false;
  try {
    return { json: writer.write(value), isDoubtful: isDoubtfulText };
  } catch {
    // An author's getter or `toJSON` may also have thrown. The exact writer will meet that error again.
    return undefined;
  } finally {
    ({ depth, isDoubtfulText } = before);
  }
}

export function unsure(): never {
  throw UNSURE;
}

/** Writes a definition inside another one. */
export function nested(writer: Writer, value: unknown): string {
  if (++depth > DEEPEST) unsure();
  const text = writer.write(value);
  depth--;
  return text;
}

/**
 * Characters that JSON escapes or that are cleaned from text. Most strings have neither, and one search shows
 * that.
 */
const special = new RegExp(`["\\\\\\u0000-\\u001f\\u0080-\\u009f${sets.direction}\\ud800-\\udfff]`);

/** A part that another writer wrote. */
export function partText(part: Written): string {
  isDoubtfulText ||= part.isDoubtful;
  return part.json;
}

/** A string as JSON. */
export function quote(text: string): string {
  return special.test(text) ? escape(text) : `"${text}"`;
}

/** A name that the author chooses. With half a surrogate pair it may become that of another member. */
export function quoteName(name: string): string {
  return isWellFormed(name) ? quote(name) : unsure();
}

function escape(text: string): string {
  isDoubtfulText ||= isDoubtful(text);
  return wellFormedJson(JSON.stringify(text));
}

/** The JSON of a value that is not a string, where a string is expected. */
export function stringOf(value: unknown): string {
  const json = settle(value);
  return typeof json === 'string' ? json : unsure();
}

export function numberOf(value: unknown): number {
  const json = settle(value);
  return typeof json === 'number' && Number.isFinite(json) ? json : unsure();
}

export function booleanOf(value: unknown): string {
  const json = settle(value);
  return typeof json === 'boolean' ? String(json) : unsure();
}

/**
 * The items of a value that is not an array, where an array is expected. An iterator is not handled here, because
 * it can be read only once.
 */
export function itemsOf(value: unknown): readonly unknown[] {
  const json = settle(value);
  return Array.isArray(json) ? json : unsure();
}

/** The text of any value. */
export function anyText(value: unknown): string {
  const text = writeJson(toJson(value)) as string | undefined;
  if (text === undefined) return unsure();
  isDoubtfulText ||= isDoubtful(text);
  return text;
}

/**
 * Converts the outside of a value to a form that JSON has: scalars, arrays, and objects with properties. For
 * `Date`, `Set`, bytes and `toJSON`, the result is that of `toJson`.
 */
export function settle(value: unknown): unknown {
  switch (typeof value) {
    case 'object':
      return value === null || Array.isArray(value) ? value : settleObject(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    default:
      return unsure();
  }
}

function settleObject(value: object): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? unsure() : value.toISOString();
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return recordOf(value);
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return settle((value as { toJSON(): unknown }).toJSON());
  return Symbol.iterator in value ? unsure() : value;
}

function recordOf(map: ReadonlyMap<unknown, unknown>): object {
  const record = {};
  for (const [key, value] of map) setOwn(record, typeof key === 'string' ? key : unsure(), value);
  return record;
}

/** A plain object can be read as it is. */
export function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  );
}

/** For each prototype, whether properties with these names are certainly an instance's own. */
export type KnownPrototypes = WeakMap<object, boolean>;

/**
 * The object to read `names` from, for a value that is not a plain object. Properties of its class are not its
 * own, and are not sent.
 */
export function objectOf(value: unknown, names: ReadonlySet<string>, known: KnownPrototypes): object {
  const settled = settle(value);
  if (typeof settled !== 'object' || settled === null || Array.isArray(settled)) return unsure();
  const prototype = Object.getPrototypeOf(settled) as object | null;
  if (prototype === null || prototype === Object.prototype) return settled;
  const shown = withoutExcluded(settled);
  if (shown !== settled) return shown;
  let isOwn = known.get(prototype);
  if (isOwn === undefined) known.set(prototype, (isOwn = !hasAny(prototype, names)));
  return isOwn ? shown : ownPart(shown, names);
}

function hasAny(prototype: object, names: ReadonlySet<string>): boolean {
  for (const name of names) if (name in prototype && !(name in Object.prototype)) return true;
  return false;
}

/** Does not call the getters of other properties. */
function ownPart(value: object, names: ReadonlySet<string>): object {
  const part = {};
  for (const key of Object.keys(value)) {
    const isNamed = names.has(key);
    Object.defineProperty(part, key, {
      ...(isNamed
        ? { value: (value as Record<string, unknown>)[key], writable: true }
        : Object.getOwnPropertyDescriptor(value, key)),
      enumerable: true,
      configurable: true,
    });
  }
  return part;
}

/** Reads a property whose name objects inherit, such as `constructor`. */
export function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether an object has data under other names. */
export function hasOthers(value: object, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value))
    if (!names.has(key) && isData((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** JSON leaves out all other values. */
export function isData(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** True if a text occurs twice. */
export function hasEqual(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}

/**
 * JSON.stringify for what leaves the process. Every integer has all its digits: JSON.stringify writes
 * 1152921504606847000 for 2^60, which is the same double and another integer, and the reader may keep all digits. A
 * `LongInteger` is a number here. Values that JSON does not have, such as a `bigint`, are written as in results, and no
 * half of a surrogate pair is alone.
 *
 * @param form another form of some values: gets a value, and what JSON makes of it. Default: that of results
 * @throws {NotJsonError} for a value that contains itself
 */
export function writeJson(value: unknown, indent?: number, form?: Form): string {
  if (form) return wellFormedJson(withAllDigits(value, indent, form));
  let json = value;
  let text: string | undefined;
  try {
    text = JSON.stringify(json, undefined, indent);
  } catch {
    json = toJson(value);
    text = JSON.stringify(json, undefined, indent);
  }
  if (text === undefined) return text as never;
  const exact = hasLongDigits(text) ? withAllDigits(json, indent) : text;
  return exact.includes(ESCAPED_HALF) ? wellFormedJson(exact) : exact;
}

/**
 * A value that JSON.stringify does not refuse: the same one, or its form in results. `undefined` for what JSON leaves out.
 *
 * @throws {NotJsonError} for a value that contains itself
 */
export function asJson<T>(value: T): T {
  try {
    return JSON.stringify(value) === undefined ? (undefined as T) : value;
  } catch {
    return toJson(value) as T;
  }
}

/** The form of a value, and what JSON makes of it: the same, or something else in its place. */
type Form = (value: unknown, each: unknown) => unknown;

function withAllDigits(json: unknown, indent: number | undefined, form?: Form): string {
  const mark = `${crypto.randomUUID()} `;
  const marked = JSON.stringify(
    json,
    function (this: Record<string, unknown>, key, each: unknown) {
      const value = this[key];
      if (typeof each === 'number') return isLongInteger(each) ? `${mark}${BigInt(each)}` : each;
      if (form && typeof value === 'bigint') return `${mark}${value}`;
      if (value instanceof LongInteger) return `${mark}${each as string}`;
      return form ? form(value, each) : each;
    },
    indent,
  );
  return marked.includes(mark) ? marked.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : marked;
}
