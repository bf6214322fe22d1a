import type { JsonSchema } from './json-schema.js';

/** Returns the result of `make`, which runs at the first call only. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Remembers the result of a function per schema object. A manifest stores equal schemas once, so several tools share
 * one, and each run of the function would walk over all of it.
 */
export function oncePerSchema<T>(look: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const found = new WeakMap<JsonSchema, { value: T }>();
  return (schema) => {
    let known = found.get(schema);
    if (!known) found.set(schema, (known = { value: look(schema) }));
    return known.value;
  };
}
