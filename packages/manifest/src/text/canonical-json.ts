/**
 * JSON with the keys of every object sorted by UTF-16 code units, as RFC 8785 orders them, so that equal values have
 * equal digests whatever order a client sent them in. What JSON.stringify leaves out of an object, or makes `null`, is
 * treated so here.
 *
 * @throws {TypeError} for a bigint
 * @throws {RangeError} for an object within itself
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // A Date, a boxed string, a Map: JSON knows what becomes of them.
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

/** The few keys of most objects are put in order in place: V8's own sort makes lists for it, and takes longer than all the rest. */
function inOrder(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let next = 1; next < keys.length; next++)
    for (let at = next; at > 0 && keys[at - 1]! > keys[at]!; at--)
      [keys[at - 1], keys[at]] = [keys[at]!, keys[at - 1]!];
  return keys;
}

const FEW = 8;
