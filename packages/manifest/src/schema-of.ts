import type { JsonSchema } from './json-schema.js';
import type { Manifest } from './manifest.js';
import { reachedFrom } from './references.js';

/** For each schema, the definitions that its references mean. */
const shared = new WeakMap<object, Readonly<Record<string, JsonSchema>>>();
const whole = new WeakMap<Manifest, Map<string, JsonSchema>>();

/**
 * Returns a complete schema of a manifest: its `$defs` contain all definitions that it reaches. The schema is
 * the same object each time, and so is each definition in all schemas of the manifest.
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

/** Does the same for a schema at another place in the manifest, such as in a revival. */
export function withDefinitions(schema: JsonSchema, { $defs }: Pick<Manifest, '$defs'>): JsonSchema {
  if (!$defs) return schema;
  const reached = reachedFrom(schema, $defs);
  if (reached.size === 0) return schema;
  const own = Object.fromEntries([...reached].map((name) => [name, $defs[name]!]));
  shared.set(own, $defs);
  return { ...schema, $defs: own };
}

/**
 * The definitions that the references of a schema mean. All schemas of one manifest return the same object,
 * so that what is derived from a definition can be stored for all of them.
 */
export function sharedDefinitions({ $defs }: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  return $defs && (shared.get($defs) ?? $defs);
}
