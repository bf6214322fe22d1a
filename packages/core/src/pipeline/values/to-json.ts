import type { Revival } from '@toolwright/manifest';
import { setOwn } from './set-own.js';
import { withoutExcluded } from './without-excluded.js';

/** Deeper than this a value is taken to contain itself. */
const deepest = 200;

/** A value that JSON cannot carry: the caller gets a generic error, the log gets the path. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';

  constructor(path: readonly (string | number)[], problem: string) {
    super(
      `The result cannot be sent as JSON: ${path.length ? `/${path.join('/')}` : 'the value'} ${problem}.`,
    );
  }
}

/**
 * The JSON form of what a method returned: `Date` as ISO 8601, `Map` as object or pairs, `Set` as array, `bigint` as
 * integer or decimal string, bytes as base64, `toJSON` where there is one. What is plain JSON already is not copied.
 *
 * @param revival of the method's result, as far as it changes the form
 * @throws {NotJsonError} NaN, infinities, invalid dates and values that contain themselves: JSON.stringify would send
 * `null` or fail
 */
export function toJson(value: unknown, revival?: Revival): unknown {
  return write(value, revival, []);
}

/** The keys on the way to a value; kept as a stack, since a path per value would cost more than all the rest. */
type Path = (string | number)[];

function write(value: unknown, revival: Revival | undefined, path: Path): unknown {
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
      return value === null ? null : writeObject(value, revival, path);
    default:
      return undefined;
  }
}

/** Writes what stands under `key`. */
function writeAt(
  key: string | number,
  value: unknown,
  [revival, path]: [Revival | undefined, Path],
): unknown {
  path.push(key);
  const json = write(value, revival, path);
  path.pop();
  return json;
}

function writeObject(value: object, revival: Revival | undefined, path: Path): unknown {
  if (path.length > deepest)
    throw new NotJsonError(path.slice(0, 5), 'is nested too deeply, or contains itself');
  if (Array.isArray(value)) return writeArray(value, revival, path);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return writeRecord(value, revival, path);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new NotJsonError(path, 'is an invalid date');
    return value.toISOString();
  }
  if (value instanceof Map) return writeMap(value, revival, path);
  if (value instanceof Set) return writeArray([...value], revival, path);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (hasToJson(value)) return writeAt('toJSON()', value.toJSON(), [revival, path]);
  return writeRecord(withoutExcluded(value), revival, path);
}

function writeArray(items: readonly unknown[], revival: Revival | undefined, path: Path): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const json = writeAt(index, item, [itemRevival(revival, index), path]) ?? null;
    if (json !== item) (copy ??= [...items])[index] = json;
  }
  return copy ?? (items as unknown[]);
}

function writeRecord(record: object, revival: Revival | undefined, path: Path): unknown {
  if (hasToJson(record)) return writeAt('toJSON()', record.toJSON(), [revival, path]);
  const keys = Object.keys(record);
  let copy: object | undefined = Object.getPrototypeOf(record) === Object.prototype ? undefined : {};
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const value = (record as Record<string, unknown>)[key];
    const json = writeAt(key, value, [propertyRevival(revival, key), path]);
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

function writeMap(map: Map<unknown, unknown>, revival: Revival | undefined, path: Path): unknown {
  const { pairs, values } = revival?.kind === 'map' ? revival : { pairs: undefined, values: undefined };
  const entries = [...map];
  if (pairs ?? entries.some(([key]) => typeof key !== 'string')) {
    return entries.map(([key, value], index) => [
      writeAt(index, key, [undefined, path]),
      writeAt(index, value, [values, path]) ?? null,
    ]);
  }
  const json = {};
  for (const [key, value] of entries) {
    const part = writeAt(String(key), value, [values, path]);
    if (part !== undefined) setOwn(json, String(key), part);
  }
  return json;
}

function itemRevival(revival: Revival | undefined, index: number): Revival | undefined {
  if (revival?.kind === 'array' || revival?.kind === 'set') return revival.items;
  if (revival?.kind === 'tuple') return revival.items[index] ?? revival.rest;
  return undefined;
}

function propertyRevival(revival: Revival | undefined, key: string): Revival | undefined {
  if (revival?.kind !== 'object') return undefined;
  const { properties = {}, additional } = revival;
  return Object.hasOwn(properties, key) ? properties[key] : additional;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
