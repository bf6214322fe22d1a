/**
 * JSON with the keys of every object sorted by UTF-16 code units, in the order of RFC 8785. So equal values
 * have equal digests, whatever the order in which a client sent the keys. Values that JSON.stringify leaves
 * out or writes as `null` are treated in the same way.
 *
 * @throws {TypeError} for a bigint
 * @throws {RangeError} for an object that contains itself
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // JSON.stringify decides the form of other objects: a Date, a boxed string, a Map.
  if (!isPlain(value)) return canonicalJson(JSON.parse(JSON.stringify(value)));
  let members = '';
  for (const key of inOrder(Object.keys(value))) {
    const member = value[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
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
