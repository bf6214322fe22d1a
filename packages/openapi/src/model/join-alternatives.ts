import type { Schema } from '../read/openapi-document.js';
import { isObject, type Specification } from '../read/specification.js';
import { alternativesOf, isNullable, isObjectMap, mergeAllOf, othersOf, typesOf } from './schema-facts.js';

/** Deeper alternatives of alternatives say nothing. */
const DEEPEST = 4;

/**
 * One schema for all alternatives of an answer: their types together, and the properties of all. Each value that fits one of
 * them fits it. Where one says nothing, nothing is said.
 */
export function joinAlternatives(specification: Specification, schema: Schema, depth = 0): Schema {
  const merged = mergeAllOf(specification, schema);
  const alternatives = alternativesOf(merged);
  if (alternatives.length === 0) return merged;
  const { oneOf: _one, anyOf: _any, ...own } = merged;
  if (depth > DEEPEST) return own;
  const all = alternatives
    .map((each) => specification.resolve<Schema>(each).value)
    // An alternative may refer back to the schema itself. Its own members are in `own`.
    .filter((each) => each !== schema)
    .map((each) => joinAlternatives(specification, each, depth + 1));
  const ownTypes = typesOf(own);
  const nullable = isNullable(own) || (ownTypes.length === 0 && all.some(isNullable));
  const filled = all.filter((each) => !isOnlyNull(each));
  const isAnything = filled.some((each) => typesOf(each).length === 0);
  const types = ownTypes.length > 0 ? ownTypes : isAnything ? [] : [...new Set(filled.flatMap(typesOf))];
  if (types.length === 0) return nullable && filled.length === 0 ? { type: 'null' } : { nullable };
  return { type: types, nullable, ...joinedObjects(own, filled), ...joinedLists(own, filled) };
}

const isOnlyNull = (schema: Schema) =>
  [schema.type ?? []].flat().join() === 'null' ||
  (schema.enum !== undefined && schema.enum.every((value) => value === null));

/** The members of all. An alternative that names none makes an open object. */
function joinedObjects(own: Schema, alternatives: readonly Schema[]): Schema {
  const objects = alternatives.filter((each) => typesOf(each).includes('object'));
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of [own, ...objects])
    for (const [name, member] of Object.entries(properties))
      if (member !== false) found.set(name, [...(found.get(name) ?? []), isObject(member) ? member : {}]);
  const isOpen = objects.some(({ properties }) => properties === undefined);
  if (isOpen || found.size === 0) return {};
  const map = [own, ...objects].find(isObjectMap);
  return {
    properties: Object.fromEntries([...found].map(([name, each]) => [name, either(each)])),
    ...(map && { additionalProperties: othersOf(map)! }),
  };
}

function joinedLists(own: Schema, alternatives: readonly Schema[]): Schema {
  const lists = alternatives.filter((each) => typesOf(each).includes('array'));
  const items = [...(own.items === undefined ? [] : [own]), ...lists].map(itemsOf);
  return items.length === 0 ? {} : { items: either(items) };
}

/** What each item is. Those of a tuple differ by their places, of which nothing is said. */
export const itemsOf = ({ items, prefixItems }: Schema): Schema =>
  isObject(items) && !prefixItems ? items : {};

/** Any of the schemas, each once. */
function either(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((each) => [each.$ref ?? JSON.stringify(each), each])).values()];
  return different.length === 1 ? different[0]! : { anyOf: different };
}
