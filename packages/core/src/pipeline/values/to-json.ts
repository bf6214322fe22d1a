import type { Revival } from '@toolwright/manifest';
import { setOwn } from './set-own.js';
import { withoutExcluded } from './without-excluded.js';

/** Deeper than this a value is taken to contain itself. */
const deepest = 200;

/** A value that JSON cannot carry: the caller gets a generic error, the log gets the path. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';

  constructor(
    readonly pointer: string,
    problem: string,
  ) {
    super(`The result cannot be sent as JSON: ${pointer || 'the value'} ${problem}.`);
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
export function toJson(value: unknown, revival?: Revival, pointer = '', depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(pointer, `is ${value}`);
      return value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      if (value === null) return null;
      if (depth > deepest) throw new NotJsonError(pointer, 'is nested too deeply, or contains itself');
      return objectToJson(value, revival, { pointer, depth: depth + 1 });
    default:
      return undefined;
  }
}

interface Where {
  pointer: string;
  depth: number;
}

function objectToJson(value: object, revival: Revival | undefined, where: Where): unknown {
  if (Array.isArray(value)) return arrayToJson(value, revival, where);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return recordToJson(value, revival, where);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new NotJsonError(where.pointer, 'is an invalid date');
    return value.toISOString();
  }
  if (value instanceof Map) return mapToJson(value, revival, where);
  if (value instanceof Set) return arrayToJson([...value], revival, where);
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (hasToJson(value)) return toJson(value.toJSON(), revival, where.pointer, where.depth);
  return recordToJson(withoutExcluded(value), revival, where);
}

function arrayToJson(
  items: readonly unknown[],
  revival: Revival | undefined,
  { pointer, depth }: Where,
): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const json = toJson(item, itemRevival(revival, index), `${pointer}/${index}`, depth) ?? null;
    if (json !== item) (copy ??= [...items])[index] = json;
  }
  return copy ?? (items as unknown[]);
}

function recordToJson(record: object, revival: Revival | undefined, { pointer, depth }: Where): object {
  if (hasToJson(record)) return toJson(record.toJSON(), revival, pointer, depth) as object;
  let changed = Object.getPrototypeOf(record) !== Object.prototype;
  const json = Object.entries(record).map(([key, value]) => {
    const part = toJson(value, propertyRevival(revival, key), `${pointer}/${key}`, depth);
    changed ||= part !== value || part === undefined;
    return [key, part] as const;
  });
  if (!changed) return record;
  const copy = {};
  for (const [key, part] of json) if (part !== undefined) setOwn(copy, key, part);
  return copy;
}

function mapToJson(map: Map<unknown, unknown>, revival: Revival | undefined, where: Where): unknown {
  const { pairs, values } = revival?.kind === 'map' ? revival : { pairs: undefined, values: undefined };
  const entries = [...map];
  if (pairs ?? entries.some(([key]) => typeof key !== 'string')) {
    return entries.map(([key, value], index) => [
      toJson(key, undefined, `${where.pointer}/${index}/0`, where.depth),
      toJson(value, values, `${where.pointer}/${index}/1`, where.depth) ?? null,
    ]);
  }
  const json = {};
  for (const [key, value] of entries) {
    const part = toJson(value, values, `${where.pointer}/${String(key)}`, where.depth);
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
