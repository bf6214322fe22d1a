/**
 * JSON with the keys of every object sorted by UTF-16 code units, as RFC 8785 orders them, so that equal values have
 * equal digests whatever order a client sent them in. Expects what JSON.parse returns.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Record<string, unknown>;
  let members = '';
  for (const key of inOrder(Object.keys(object))) {
    members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(object[key])}`;
  }
  return `{${members}}`;
}

/** Looks first: the few arguments of a usual call are often in order, and sorting them takes longer than all the rest. */
function inOrder(keys: string[]): string[] {
  const isSorted = keys.every((key, index) => index === 0 || keys[index - 1]! < key);
  return isSorted ? keys : keys.sort();
}
