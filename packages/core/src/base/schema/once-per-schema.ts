import type { JsonSchema } from '@toolwright/manifest';

/**
 * Remembers the result of a function per schema object. A manifest stores equal schemas once, so many tools
 * share one, and each run of the function would walk over all of it.
 */
export function oncePerSchema<T>(look: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const found = new WeakMap<JsonSchema, { value: T }>();
  return (schema) => {
    let known = found.get(schema);
    if (!known) found.set(schema, (known = { value: look(schema) }));
    return known.value;
  };
}
