/**
 * The JSON form of a constant default. It is undefined for values without a JSON form (`Infinity`, a large
 * bigint, a RegExp).
 */
export function toJsonDefault(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof RegExp) return undefined;
  if (Array.isArray(value)) return value.map(toJsonDefault);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJsonDefault(item)]));
}
