import { canonicalJson } from '@toolwright/json';

/**
 * Whether a value equals one of the values that a schema allows. Objects and lists are compared as text, and
 * the value is serialized once, however many values are allowed.
 */
export function amongValues(allowed: readonly unknown[]): (value: unknown) => boolean {
  const values = new Set(allowed);
  const texts = new Set(allowed.filter(isComposed).map((each) => canonicalJson(each)));
  return (value) =>
    values.has(value) || (texts.size > 0 && isComposed(value) && texts.has(canonicalJson(value)));
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
