/** The names and indexes along a JSON pointer (RFC 6901). */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(fromPointerToken) : tokens;
}

/** Writes a name as a token of a JSON pointer. */
export function pointerToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** Returns the name for a token of a JSON pointer. */
export function fromPointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Sets an own property with any name. `__proto__` is data here, never the prototype. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}

/** An object without the members that are `undefined`. */
export function present<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

/** Makes a value the newest one of a map. When the map has more than `most`, it loses the oldest one. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

/** The type of a value in the terms of JSON Schema, where a whole number is a number. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The type of a value in the terms of JSON Schema, which tells integers from other numbers. */
export function schemaTypeOf(value: unknown): string {
  return Number.isInteger(value) ? 'integer' : jsonTypeOf(value);
}

/** Whether the value is a text, a number or a boolean. */
export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether the value is an object or a list. */
export function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value at the end of a path of own members; undefined if there is none. */
export function memberAt(root: unknown, path: readonly string[]): unknown {
  let found = root;
  for (const name of path) {
    if (!isComposed(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Whether JSON would write the value with braces. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether no class created the object. Test runners have their own `Object`, so objects from Node may have
 * another one.
 */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A copy of the arguments of a call, for code that may look at them and must not change them: of objects, lists, dates, maps,
 * sets, addresses and bytes. An instance of any other class is itself, because it may have private members.
 */
export function copyData<T>(value: T): T {
  return (isComposed(value) ? copyOf(value, new Copies()) : value) as T;
}

function copyOf(value: object, copies: Copies): object {
  const known = copies.of(value);
  if (known) return known;
  const copy = shallowCopyOf(value);
  copies.add(value, copy);
  if (Array.isArray(copy)) {
    for (let at = 0; at < copy.length; at++) copy[at] = partOf(copy[at], copies);
  } else if (value instanceof Map)
    for (const [key, item] of value)
      (copy as Map<unknown, unknown>).set(partOf(key, copies), partOf(item, copies));
  else if (value instanceof Set) for (const item of value) (copy as Set<unknown>).add(partOf(item, copies));
  // Only parts are set again: each has an own property already, so that `__proto__` is data here, too.
  else if (copy !== value && isPlainObject(copy))
    for (const name of Object.keys(copy)) {
      const item = (copy as Record<string, unknown>)[name];
      if (isComposed(item)) (copy as Record<string, unknown>)[name] = copyOf(item, copies);
    }
  return copy;
}

const partOf = (part: unknown, copies: Copies): unknown => (isComposed(part) ? copyOf(part, copies) : part);

/** Without the items of maps and sets, which are copied one by one. */
function shallowCopyOf(value: object): object {
  if (Array.isArray(value)) return Array.from(value as unknown[]);
  if (isPlainObject(value)) return { ...value };
  if (value instanceof Date) return new Date(value);
  if (value instanceof URL) return new URL(value);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  return value instanceof Uint8Array ? value.slice() : value;
}

/** Up to this many, a search through a list costs less than the hash that a map gives to each object. */
const FEW_COPIES = 16;

/** What was copied already, because a value may be in several places, or in itself. */
class Copies {
  private readonly few: { value: object; copy: object }[] = [];
  private many: Map<object, object> | undefined;

  of(value: object): object | undefined {
    if (this.many) return this.many.get(value);
    for (const each of this.few) if (each.value === value) return each.copy;
    return undefined;
  }

  add(value: object, copy: object): void {
    if (this.many) this.many.set(value, copy);
    else if (this.few.push({ value, copy }) > FEW_COPIES)
      this.many = new Map(this.few.map((each) => [each.value, each.copy]));
  }
}

/**
 * JSON with the keys of every object sorted by UTF-16 code units, in the order of RFC 8785. So equal values
 * have equal digests, whatever the order in which a client sent the keys. Values that JSON.stringify leaves
 * out or writes as `null` are treated in the same way.
 *
 * @param quote writes the strings that are values; default: as JSON
 * @throws {TypeError} for a bigint
 * @throws {RangeError} for an object that contains itself
 */
export function canonicalJson(value: unknown, quote: (text: string) => string = quoted): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let items = '[';
    for (let at = 0; at < value.length; at++) {
      if (at > 0) items += ',';
      items += canonicalJson(value[at], quote);
    }
    return `${items}]`;
  }
  // JSON.stringify decides the form of other objects: a Date, a boxed string, a Map.
  if (!isPlain(value)) return canonicalJson(JSON.parse(JSON.stringify(value)), quote);
  let members = '';
  for (const key of inOrder(Object.keys(value))) {
    const member = value[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    members += startOf(key, members === '');
    members += canonicalJson(member, quote);
  }
  return members === '' ? '{}' : `${members}}`;
}

/** How members begin: the first of an object, and others. They are kept, because joining texts takes most of the time. */
const knownStarts = new Map<string, readonly [first: string, other: string]>();

/** A caller that fills the map only makes the texts of others cost a little more. */
const MOST_KNOWN = 500;
const LONGEST_KNOWN = 32;

function startOf(key: string, isFirst: boolean): string {
  const known = knownStarts.get(key);
  if (known) return known[isFirst ? 0 : 1];
  const name = quoted(key);
  if (key.length <= LONGEST_KNOWN && knownStarts.size < MOST_KNOWN)
    knownStarts.set(key, [`{${name}:`, `,${name}:`]);
  return isFirst ? `{${name}:` : `,${name}:`;
}

/** Characters that JSON escapes, and halves of surrogate pairs, which it escapes where they stand alone. */
// eslint-disable-next-line no-control-regex -- naming them is the point
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON. Most need no escapes, and one search costs less than JSON.stringify. */
export function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * A finite number as JSON. `String(0.5)` takes less time, but V8 keeps its text in the old generation until the next full
 * collection, which comes the sooner (ADR 301). It does not do so with integers of 32 bits.
 */
export function numberText(value: number): string {
  return (value | 0) === value ? String(value) : JSON.stringify(value);
}

function isPlain(value: object): value is Record<string, unknown> {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Most objects have few keys, so they are sorted in place. V8's own sort creates lists, and takes longer than
 * all the rest.
 */
function inOrder(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let next = 1; next < keys.length; next++)
    for (let at = next; at > 0 && keys[at - 1]! > keys[at]!; at--)
      [keys[at - 1], keys[at]] = [keys[at]!, keys[at - 1]!];
  return keys;
}

const FEW = 8;
