import { pointerToken } from '@toolwright/json';
import type { OpenApiDocument, Schema } from './openapi-document.js';
import { isObject, isReference, stepsOf } from './specification.js';

const SCHEMAS = '#/components/schemas/';

/**
 * Gives each base with a discriminator its mapping. Where a document has none, each schema that has the base in its `allOf` is
 * an heir under its own name (OpenAPI 3.0.3, Discriminator Object), and so is the base itself. Version 2.0 knows no other way.
 *
 * @returns the document itself if it has no such base, and otherwise a changed copy
 */
export function withImplicitHeirs(document: OpenApiDocument): OpenApiDocument {
  const { schemas, ...others } = (document.components ?? {}) as { schemas?: Record<string, Schema> | null };
  if (!schemas) return document;
  const bases = Object.entries(schemas).filter(([, schema]) => isBase(schema));
  if (bases.length === 0) return document;
  const heirs = heirsByBase(schemas);
  const changed = bases.flatMap(([name, schema]) => {
    const all = allHeirs(name, heirs);
    if (all.length === 0) return [];
    const mapping = Object.fromEntries([name, ...all].map((each) => [each, SCHEMAS + pointerToken(each)]));
    return [[name, { ...schema, discriminator: { ...schema.discriminator, mapping } }] as const];
  });
  if (changed.length === 0) return document;
  const components = { ...others, schemas: { ...schemas, ...Object.fromEntries(changed) } };
  return { ...document, components } as OpenApiDocument;
}

/** A base whose heirs nothing lists. A mapping is a list that its author made. */
const isBase = (schema: unknown): boolean => {
  const { discriminator, oneOf, anyOf } = (isObject(schema) ? schema : {}) as Schema;
  return discriminator?.propertyName !== undefined && !discriminator.mapping && !oneOf && !anyOf;
};

/** The names of the schemas that have a schema in their `allOf`. */
function heirsByBase(schemas: Readonly<Record<string, Schema>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const { allOf = [] } = (isObject(schema) ? schema : {}) as Schema;
    for (const part of allOf) {
      if (!isReference(part) || !part.$ref.startsWith(SCHEMAS)) continue;
      const [, , base = ''] = stepsOf(part.$ref);
      found.set(base, [...(found.get(base) ?? []), name]);
    }
  }
  return found;
}

function allHeirs(base: string, heirs: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>(heirs.get(base));
  for (const name of found) for (const each of heirs.get(name) ?? []) found.add(each);
  found.delete(base);
  return [...found];
}
