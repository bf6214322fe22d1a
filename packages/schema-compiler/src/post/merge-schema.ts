import type { JsonSchema } from '@toolwright/manifest';

/** `path` of what the author's schema and the derived one disagree about. */
export type OnConflict = (path: string, detail: string) => void;

/**
 * Lays an author's schema over a derived one: properties and items are merged into each other, every other keyword
 * replaces what was there. A disagreement is told, and the author wins.
 */
export function mergeSchema(
  derived: JsonSchema,
  given: JsonSchema,
  onConflict: OnConflict,
  path = '',
): JsonSchema {
  const merged: JsonSchema = { ...derived };
  tellConflict(derived, given, onConflict, path);
  for (const [keyword, value] of Object.entries(given)) {
    if (keyword === 'properties') merged.properties = mergeProperties(derived, given, onConflict, path);
    else if (keyword === 'items' && isSchema(value) && isSchema(derived.items)) {
      merged.items = mergeSchema(derived.items, value, onConflict, `${path}[]`);
    } else merged[keyword] = value;
  }
  return merged;
}

function mergeProperties(
  derived: JsonSchema,
  given: JsonSchema,
  onConflict: OnConflict,
  path: string,
): Record<string, JsonSchema> {
  const merged = { ...derived.properties };
  for (const [name, schema] of Object.entries(given.properties ?? {})) {
    const place = path === '' ? name : `${path}.${name}`;
    const base = merged[name];
    if (!base && derived.additionalProperties === false) onConflict(place, 'no such property in the type');
    merged[name] = base ? mergeSchema(base, schema, onConflict, place) : schema;
  }
  return merged;
}

function tellConflict(derived: JsonSchema, given: JsonSchema, onConflict: OnConflict, path: string): void {
  const mine = typesOf(derived);
  const theirs = typesOf(given);
  if (
    mine &&
    theirs &&
    !theirs.some((type) => mine.includes(type) || (type === 'integer' && mine.includes('number')))
  ) {
    onConflict(path, `type ${theirs.join(' or ')} where the type is ${mine.join(' or ')}`);
  }
  const values = derived.enum;
  const foreign = values && given.enum?.filter((value) => !values.includes(value));
  if (foreign?.length)
    onConflict(path, `${foreign.map((value) => JSON.stringify(value)).join(', ')} not in the type`);
}

function typesOf({ type }: JsonSchema): string[] | undefined {
  return type === undefined ? undefined : Array.isArray(type) ? type : [type];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
