import { isObject } from './specification.js';
import { SpecificationError } from './specification-error.js';

type Members = Record<string, unknown>;

/**
 * Applies the merge keys of YAML (`<<: *base`), which the parser leaves as members with this name. What an object has itself
 * counts first, and then the objects of the key in their order. The document is changed in place.
 *
 * @throws {SpecificationError} with the place of a key that names something else than objects
 */
export function withMergeKeys<T>(document: T): T {
  const seen = new Set<object>();
  const visit = (value: unknown, place: string): void => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    for (const [name, member] of Object.entries(value))
      visit(member, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (!Array.isArray(value) && Object.hasOwn(value, '<<')) merge(value as Members, place);
  };
  visit(document, '#');
  return document;
}

function merge(value: Members, place: string): void {
  const bases = [value['<<']].flat();
  if (!bases.every((each) => isObject(each)))
    throw new SpecificationError(`${place} has a merge key "<<" that names no object. Repair it.`);
  delete value['<<'];
  for (const base of bases as Members[])
    for (const [name, member] of Object.entries(base))
      if (name !== '__proto__' && !Object.hasOwn(value, name)) value[name] = member;
}
