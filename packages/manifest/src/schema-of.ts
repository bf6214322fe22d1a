import type { JsonSchema } from './json-schema.js';
import type { Manifest } from './manifest.js';
import { reachedFrom } from './references.js';

/** Whose definitions those of a schema are. */
const shared = new WeakMap<object, Readonly<Record<string, JsonSchema>>>();
const whole = new WeakMap<Manifest, Map<string, JsonSchema>>();

/**
 * A schema of a manifest with the definitions that it reaches in its own `$defs`, so that it stands for itself. It is the
 * same object each time, and so is a definition in all schemas of the manifest.
 *
 * @param id a key of `Manifest.schemas`
 */
export function schemaOf(manifest: Manifest, id: string): JsonSchema | undefined {
  let known = whole.get(manifest);
  if (!known) whole.set(manifest, (known = new Map()));
  let schema = known.get(id);
  if (!schema && manifest.schemas[id]) {
    schema = withDefinitions(manifest.schemas[id], manifest);
    known.set(id, schema);
  }
  return schema;
}

/** The same for a schema that stands elsewhere in the manifest, such as in a revival. */
export function withDefinitions(schema: JsonSchema, { $defs }: Pick<Manifest, '$defs'>): JsonSchema {
  if (!$defs) return schema;
  const reached = reachedFrom(schema, $defs);
  if (reached.size === 0) return schema;
  const own = Object.fromEntries([...reached].map((name) => [name, $defs[name]!]));
  shared.set(own, $defs);
  return { ...schema, $defs: own };
}

/**
 * What the references of a schema mean. Schemas of one manifest give the same object, so that what was made of a
 * definition can be kept for all of them.
 */
export function sharedDefinitions({ $defs }: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  return $defs && (shared.get($defs) ?? $defs);
}
