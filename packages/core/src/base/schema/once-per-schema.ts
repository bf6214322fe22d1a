import type { JsonSchema } from '@toolwright/manifest';

/**
 * Keeps what a look at a schema found: a manifest holds equal schemas once, so that many tools share one, and each look
 * walks all of it.
 */
export function oncePerSchema<T>(look: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const found = new WeakMap<JsonSchema, { value: T }>();
  return (schema) => {
    let known = found.get(schema);
    if (!known) found.set(schema, (known = { value: look(schema) }));
    return known.value;
  };
}
