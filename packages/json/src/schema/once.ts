import { randomBytes } from 'node:crypto';
import type { JsonSchema } from './json-schema.js';

/** Returns the result of `make`, which runs at the first call only. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What a map has under a key. If it has nothing there, `make` makes it. */
export function getOrMake<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => NoInfer<V>,
): V {
  let known = map.get(key);
  if (known === undefined) map.set(key, (known = make()));
  return known;
}

/** Groups in the order of their first members, by their keys. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** Remembers the result of a function per object, as long as the object is used. Bundles leave out what nobody calls. */
/* @__NO_SIDE_EFFECTS__ */
export function oncePer<K extends object, T>(look: (key: K) => T): (key: K) => T {
  const found = new WeakMap<K, { value: T }>();
  return (key) => {
    let known = found.get(key);
    if (!known) found.set(key, (known = { value: look(key) }));
    return known.value;
  };
}

/** The same per schema. A manifest stores equal schemas once, so several tools share one, and each run would walk over it. */
/* @__NO_SIDE_EFFECTS__ */
export function oncePerSchema<T>(look: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  return oncePer(look);
}

/** The secrets of a server. Without any, they are random: what it seals is for this process. */
export const sealingSecrets: (server: {
  readonly secrets?: readonly string[] | undefined;
}) => readonly string[] = oncePer(({ secrets }) => secrets ?? [randomBytes(32).toString('hex')]);
