import type { JsonSchema } from '@toolwright/manifest';

const told = new WeakMap<object, Map<string, JsonSchema>>();

/** Remembers what the author says of a property's JSON form; of two decorators both hold. */
export function notePropertySchema(prototype: object, property: string, schema: JsonSchema): void {
  let known = told.get(prototype);
  if (!known) told.set(prototype, (known = new Map()));
  known.set(property, { ...known.get(property), ...schema });
}

/** What was said of the properties of a class, and of the classes that it inherits from; the nearest class wins. */
export function propertySchemasOf(prototype: object): ReadonlyMap<string, JsonSchema> {
  const above = Object.getPrototypeOf(prototype) as object | null;
  const inherited = above ? propertySchemasOf(above) : NONE;
  const own = told.get(prototype);
  return own ? new Map([...inherited, ...own]) : inherited;
}

const NONE: ReadonlyMap<string, JsonSchema> = new Map();
