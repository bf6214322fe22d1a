import { uriOf } from '../addresses/uri-text.js';
import { itemRevival, propertyRevival, type Revival } from './revival.js';
import { withoutExcluded } from './class-transformer.js';
import { hasToJson } from '../text/find-hidden-text.js';
import { setOwn } from '../base/json-values.js';

/** A value deeper than this counts as one that contains itself. */
const deepest = 200;

/** A value that JSON cannot express. The caller gets a generic error, and the log contains the path. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';

  constructor(path: readonly (string | number)[], problem: string) {
    super(
      `The result cannot be sent as JSON: ${path.length ? `/${path.join('/')}` : 'the value'} ${problem}.`,
    );
  }
}

/** What is known about the form of a value. */
interface JsonForm {
  /** The revival of the method's result, if it changes the form. */
  readonly revival?: Revival | undefined;
  /** The parts that are written. Without it, all parts are. Other parts are not read. */
  readonly selection?: Selection | undefined;
}

/**
 * The JSON form of a method's result: `Date` as ISO 8601, `Map` as object or pairs, `Set` and iterators as
 * array, `bigint` as integer or decimal string, bytes as base64, and the result of `toJSON` if there is one.
 * Plain JSON is not copied.
 *
 * @throws {NotJsonError} for NaN, infinities, invalid dates and values that contain themselves:
 * JSON.stringify would send `null` or fail
 */
export function toJson(value: unknown, form: JsonForm = {}): unknown {
  return write(value, form, []);
}

/**
 * The keys that lead to a value. It is a stack, because a path for each value would cost more than everything
 * else.
 */
type Path = (string | number)[];

function write(value: unknown, form: JsonForm, path: Path): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(path, `is ${value}`);
      return value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      return value === null ? null : writeObject(value, form, path);
    default:
      return undefined;
  }
}

/** Writes the value of `key`. */
function writeAt(key: string | number, value: unknown, [form, path]: [JsonForm, Path]): unknown {
  path.push(key);
  const json = write(value, form, path);
  path.pop();
  return json;
}

function writeObject(value: object, form: JsonForm, path: Path): unknown {
  if (path.length > deepest)
    throw new NotJsonError(path.slice(0, 5), 'is nested too deeply, or contains itself');
  if (Array.isArray(value)) return writeArray(value, form, path);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return writeRecord(value, form, path);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new NotJsonError(path, 'is an invalid date');
    return value.toISOString();
  }
  if (value instanceof Map) return writeMap(value, form, path);
  if (value instanceof Set) return writeArray([...value], form, path);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (value instanceof URL) return uriOf(value);
  if (hasToJson(value)) return writeAt('toJSON()', value.toJSON(), [form, path]);
  if (isBoxed(value)) return write(value.valueOf(), form, path);
  if (isList(value, form)) return writeArray([...value], form, path);
  return writeRecord(withoutExcluded(value), form, path);
}

/** JSON.stringify writes the value of such an object, too. */
function isBoxed(value: object): boolean {
  return (
    value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt
  );
}

/** Iterators, and other iterables if the method's type says nothing else. */
function isList(value: object, { revival }: JsonForm): value is Iterable<unknown> {
  if (!(Symbol.iterator in value)) return false;
  return revival?.kind === 'array' || typeof (value as { next?: unknown }).next === 'function';
}

function writeArray(items: readonly unknown[], form: JsonForm, path: Path): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const json = writeAt(index, item, [itemForm(form, index, items.length), path]) ?? null;
    if (json !== item) (copy ??= [...items])[index] = json;
  }
  return copy ?? (items as unknown[]);
}

function writeRecord(record: object, form: JsonForm, path: Path): unknown {
  if (hasToJson(record)) return writeAt('toJSON()', record.toJSON(), [form, path]);
  const keys = Object.keys(record);
  let copy: object | undefined = Object.getPrototypeOf(record) === Object.prototype ? undefined : {};
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const inside = propertyForm(form, key);
    const value = inside && (record as Record<string, unknown>)[key];
    const json = inside && writeAt(key, value, [inside, path]);
    if (!copy && (json !== value || json === undefined)) copy = firstKeys(record, keys.slice(0, index));
    if (copy && json !== undefined) setOwn(copy, key, json);
  }
  return copy ?? record;
}

function firstKeys(record: object, keys: readonly string[]): object {
  const copy = {};
  for (const key of keys) setOwn(copy, key, (record as Record<string, unknown>)[key]);
  return copy;
}

function writeMap(map: Map<unknown, unknown>, form: JsonForm, path: Path): unknown {
  const { revival, selection } = form;
  const { pairs, values } = revival?.kind === 'map' ? revival : { pairs: undefined, values: undefined };
  const entries = [...map];
  if (pairs ?? entries.some(([key]) => typeof key !== 'string')) {
    return entries.map(([key, value], index) => {
      const pair = inside(selection?.item(index), undefined);
      return [
        writeAt(index, key, [inside(pair.selection?.item(0), undefined), path]),
        writeAt(index, value, [inside(pair.selection?.item(1), values), path]) ?? null,
      ];
    });
  }
  const json = {};
  for (const [key, value] of entries) {
    const name = String(key);
    const selected = selection?.property(name);
    const part = selected === false ? undefined : writeAt(name, value, [inside(selected, values), path]);
    if (part !== undefined) setOwn(json, name, part);
  }
  return json;
}

/** Nothing is known about most values. */
const UNKNOWN: JsonForm = {};

function inside(selection: Selection | boolean | undefined, revival: Revival | undefined): JsonForm {
  const selected = typeof selection === 'object' ? selection : undefined;
  return selected || revival ? { selection: selected, revival } : UNKNOWN;
}

function itemForm({ revival, selection }: JsonForm, index: number, length: number): JsonForm {
  const isList = revival?.kind === 'array' || revival?.kind === 'set' || revival?.kind === 'tuple';
  return inside(selection?.item(index), isList ? itemRevival(revival, index, length) : undefined);
}

/** @returns undefined for a property that is not written */
function propertyForm({ revival, selection }: JsonForm, key: string): JsonForm | undefined {
  const selected = selection?.property(key);
  if (selected === false) return undefined;
  return inside(selected, revival?.kind === 'object' ? propertyRevival(revival, key) : undefined);
}

/** Which parts of a value are written. True: the whole part. False: the part is left out. */
export interface Selection {
  property(name: string): Selection | boolean;
  item(index: number): Selection | boolean;
}
