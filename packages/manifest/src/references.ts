import type { JsonSchema } from './json-schema.js';
import { isSchema, mapSchema } from './map-schema.js';

const LOCAL = /^#\/(?:\$defs|definitions)\/([^/]+)$/;

/** The definitions of a schema, under the name that its draft uses for them. */
export function definitionsOf(root: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const older = root.definitions as Record<string, JsonSchema> | undefined;
  return older ? { ...older, ...root.$defs } : (root.$defs ?? {});
}

/** The name of the definition that a schema refers to; undefined if it refers to none, or to something else. */
export function referenceName({ $ref }: JsonSchema): string | undefined {
  const name = typeof $ref === 'string' ? LOCAL.exec($ref)?.[1] : undefined;
  if (name === undefined || !/[%~]/.test(name)) return name;
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return name;
  }
}

/**
 * Follows references through any number of definitions, and collects the keywords beside each reference.
 *
 * @returns the schema itself if it is no reference; the last step if a reference leads nowhere or back
 */
export function followReferences(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const seen = new Set<string>();
  let found = schema;
  for (let name = referenceName(found); name !== undefined; name = referenceName(found)) {
    const definition = definitions[name];
    if (!definition || seen.has(name)) return found;
    seen.add(name);
    const { $ref: _ref, ...siblings } = found;
    found = { ...definition, ...siblings };
  }
  return found;
}

const references = new WeakMap<JsonSchema, readonly string[]>();

/**
 * The definitions that a schema directly refers to, one entry per reference. The result is kept, because
 * tools share definitions.
 */
export function referencesIn(schema: JsonSchema): readonly string[] {
  const known = references.get(schema);
  if (known) return known;
  const found: string[] = [];
  const visit = (inner: JsonSchema): JsonSchema => {
    const name = referenceName(inner);
    if (name !== undefined) found.push(name);
    return mapSchema(inner, visit);
  };
  if (isSchema(schema)) {
    const { $defs: _defs, ...own } = schema;
    visit(own);
    references.set(schema, found);
  }
  return found;
}

/** The names of all definitions that can be reached from a schema. */
export function reachedFrom(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): ReadonlySet<string> {
  const reached = new Set(referencesIn(schema));
  for (const name of reached) {
    const definition = definitions[name];
    if (definition) for (const further of referencesIn(definition)) reached.add(further);
    else reached.delete(name);
  }
  return reached;
}
