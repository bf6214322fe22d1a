import type { JsonSchema } from '../schema/json-schema.js';
import { getOrMake } from '../schema/once.js';

const schemas = new WeakMap<object, Map<string, JsonSchema>>();

/** Stores what the author says about the JSON form of a property. If there are two decorators, both apply. */
export function notePropertySchema(prototype: object, property: string, schema: JsonSchema): void {
  const known = getOrMake(schemas, prototype, () => new Map());
  known.set(property, { ...known.get(property), ...schema });
}

/** The stored schemas for a class and its base classes. The nearest class wins. */
export function propertySchemasOf(prototype: object): ReadonlyMap<string, JsonSchema> {
  const above = Object.getPrototypeOf(prototype) as object | null;
  const inherited = above ? propertySchemasOf(above) : NONE;
  const own = schemas.get(prototype);
  return own ? new Map([...inherited, ...own]) : inherited;
}

const NONE: ReadonlyMap<string, JsonSchema> = new Map();

const marked = new WeakMap<object, Set<string | symbol>>();

/** Stores a sensitive property of a class, for classes that are known only in compiled form. */
export function noteSensitive(prototype: object, property: string | symbol): void {
  getOrMake(marked, prototype, () => new Set()).add(property);
}

/** The marked properties of a class and its base classes. */
export function sensitivePropertiesOf(prototype: object): ReadonlySet<string | symbol> {
  const above = Object.getPrototypeOf(prototype) as object | null;
  const own = marked.get(prototype);
  const inherited = above ? sensitivePropertiesOf(above) : undefined;
  return inherited?.size ? new Set([...inherited, ...(own ?? [])]) : (own ?? NONE_MARKED);
}

const NONE_MARKED: ReadonlySet<string> = new Set();

/** Whether a property is marked in the class of an instance or in a base class. */
export function isSensitiveProperty(instance: object, property: string | symbol): boolean {
  for (
    let at = Object.getPrototypeOf(instance) as object | null;
    at;
    at = Object.getPrototypeOf(at) as object
  ) {
    if (marked.get(at)?.has(property)) return true;
  }
  return false;
}
