import { definitionsOf, followReferences, type JsonSchema, isSchema } from '@toolwright/json';

/** What is wrong with a property that only `@Schema` has. */
export const NO_PROPERTY = 'The type has no such property.';

/** `path` is the place where the author's schema and the derived schema contradict each other. */
export type OnConflict = (path: string, detail: string) => void;

/** What happens with a contradiction, and how a reference is resolved. */
export interface Merge {
  onConflict: OnConflict;
  /**
   * Returns the schema that a reference refers to, with the keywords beside the reference. Returns the
   * schema itself if it is not a reference.
   */
  resolve: (schema: JsonSchema) => JsonSchema;
}

/**
 * Puts an author's schema over a derived schema. Properties and items are merged; every other keyword of the
 * author replaces the derived one. A definition behind a reference is merged at this place only, and other
 * uses keep it as it is. A contradiction is reported, and the author's schema wins.
 */
export function mergeSchema(derived: JsonSchema, given: JsonSchema, merge: Merge): JsonSchema {
  return new Merging(merge).merge(derived, given, '');
}

/** Resolves references to the definitions inside the schema itself. */
export function resolveWithin(root: JsonSchema): Merge['resolve'] {
  const definitions = definitionsOf(root);
  return (schema) => followReferences(schema, definitions);
}

class Merging {
  constructor(private readonly how: Merge) {}

  merge(written: JsonSchema, given: JsonSchema, path: string): JsonSchema {
    const derived = this.how.resolve(written);
    const merged: JsonSchema = { ...derived };
    this.tellConflict(derived, given, path);
    for (const [keyword, value] of Object.entries(given)) {
      if (keyword === 'properties') merged.properties = this.mergeProperties(derived, given, path);
      else if (keyword === 'items' && isSchema(value) && isSchema(derived.items)) {
        merged.items = this.merge(derived.items, value, `${path}[]`);
      } else merged[keyword] = value;
    }
    return merged;
  }

  private mergeProperties(derived: JsonSchema, given: JsonSchema, path: string): Record<string, JsonSchema> {
    const merged = { ...derived.properties };
    for (const [name, schema] of Object.entries(given.properties ?? {})) {
      const place = path === '' ? name : `${path}.${name}`;
      const base = merged[name];
      if (!base && derived.additionalProperties === false) this.how.onConflict(place, NO_PROPERTY);
      merged[name] = base ? this.merge(base, schema, place) : schema;
    }
    return merged;
  }

  private tellConflict(derived: JsonSchema, given: JsonSchema, path: string): void {
    const mine = typesOf(derived);
    const theirs = typesOf(given);
    if (
      mine &&
      theirs &&
      !theirs.some((type) => mine.includes(type) || (type === 'integer' && mine.includes('number')))
    ) {
      this.how.onConflict(path, `It says ${theirs.join(' or ')}, but the type is ${mine.join(' or ')}.`);
    }
    const values = derived.enum;
    const foreign = values && given.enum?.filter((value) => !values.includes(value));
    if (foreign?.length)
      this.how.onConflict(
        path,
        `The type does not allow ${foreign.map((value) => JSON.stringify(value)).join(', ')}.`,
      );
  }
}

function typesOf({ type }: JsonSchema): string[] | undefined {
  return type === undefined ? undefined : Array.isArray(type) ? type : [type];
}
