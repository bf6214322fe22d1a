import { isObject } from './specification.js';

type Members = Record<string, unknown>;

/**
 * Applies the merge keys of YAML (`<<: *base`), which the parser leaves as members with this name. What an object has itself
 * counts first, and then the objects of the key in their order. The document is changed in place.
 */
export function withMergeKeys<T>(document: T): T {
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    for (const member of Object.values(value)) visit(member);
    if (!Array.isArray(value)) merge(value as Members);
  };
  visit(document);
  return document;
}

function merge(value: Members): void {
  const bases = [value['<<']].flat();
  if (!Object.hasOwn(value, '<<') || !bases.every((each) => isObject(each) && each !== value)) return;
  delete value['<<'];
  for (const base of bases as Members[])
    for (const [name, member] of Object.entries(base))
      if (name !== '__proto__' && !Object.hasOwn(value, name)) value[name] = member;
}
