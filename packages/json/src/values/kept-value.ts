import { NotJsonError } from './to-json.js';
import { canonicalJson, setOwn } from '../base/json-values.js';

/** The member of an object that means a value that JSON does not have. */
const KIND = '~kind';

/** A value deeper than this counts as one that contains itself. */
const DEEPEST = 200;

/**
 * A value as JSON, so that `fromKept` gives the same value again, where JSON alone would change it or refuse it: a
 * `bigint`, dates, maps, sets, bytes, URLs, `undefined`, NaN and infinities. An instance of another class becomes a plain
 * object, or what its `toJSON` returns.
 *
 * @throws {NotJsonError} for a value that contains itself
 */
export function toKept(value: unknown): unknown {
  return keep(value, 0);
}

/**
 * The text of a value, the same for equal values.
 *
 * @returns `undefined` for a value that contains itself
 */
export function keptText(value: unknown): string | undefined {
  try {
    return canonicalJson(toKept(value));
  } catch {
    return undefined;
  }
}

const marked = (kind: string, value?: unknown) => ({ [KIND]: kind, ...(value !== undefined && { value }) });

function keep(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'bigint':
      return marked('bigint', String(value));
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : marked('number', Object.is(value, -0) ? '-0' : String(value));
    case 'string':
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : keepObject(value, depth + 1);
    default:
      return marked('undefined');
  }
}

function keepObject(value: object, depth: number): unknown {
  if (depth > DEEPEST) throw new NotJsonError([], 'is nested too deeply, or contains itself');
  const inside = (each: unknown) => keep(each, depth);
  if (Array.isArray(value)) return Array.from(value, inside);
  if (value instanceof Date) return marked('date', inside(value.getTime()));
  if (value instanceof Map)
    return marked(
      'map',
      [...value].map(([key, each]) => [inside(key), inside(each)]),
    );
  if (value instanceof Set) return marked('set', [...value].map(inside));
  if (value instanceof URL) return marked('url', value.href);
  if (Buffer.isBuffer(value)) return marked('buffer', value.toString('base64'));
  if (value instanceof Uint8Array) return marked('bytes', Buffer.from(value).toString('base64'));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return inside((value as { toJSON(): unknown }).toJSON());
  const members = {};
  for (const [key, each] of Object.entries(value)) if (each !== undefined) setOwn(members, key, inside(each));
  return Object.hasOwn(members, KIND) ? marked('object', Object.entries(members)) : members;
}

/** The value that `toKept` has kept. */
export function fromKept(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null) return kept;
  if (Array.isArray(kept)) return kept.map(fromKept);
  if (Object.hasOwn(kept, KIND)) return revive(kept as { [KIND]: string; value?: never });
  const members = {};
  for (const [key, each] of Object.entries(kept)) setOwn(members, key, fromKept(each));
  return members;
}

function revive({ [KIND]: kind, value }: { readonly [KIND]: string; readonly value?: never }): unknown {
  const list = () => value as unknown as readonly unknown[];
  const pairs = () => value as unknown as readonly (readonly [unknown, unknown])[];
  switch (kind) {
    case 'bigint':
      return BigInt(value!);
    case 'number':
      return Number(value);
    case 'date':
      return new Date(fromKept(value) as number);
    case 'map':
      return new Map(pairs().map(([key, each]) => [fromKept(key), fromKept(each)]));
    case 'set':
      return new Set(list().map(fromKept));
    case 'url':
      return new URL(value!);
    case 'buffer':
      return Buffer.from(value!, 'base64');
    case 'bytes':
      return new Uint8Array(Buffer.from(value!, 'base64'));
    case 'object': {
      const members = {};
      for (const [key, each] of pairs()) setOwn(members, key as string, fromKept(each));
      return members;
    }
    default:
      return undefined;
  }
}
