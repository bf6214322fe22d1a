import type { ts } from '../generator/tjs-adapter.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { initialiserOf } from '../types/members.js';

/**
 * The published defaults of an object's properties that no code applies, by their names in JSON: those of doc tags and
 * of `@Schema`. A property with an initialiser has the value of a new instance.
 *
 * @param type its schema exists already
 * @returns undefined if there are none
 */
export function taggedDefaults(
  type: ts.Type,
  { shared, properties }: SchemaGenerator,
): Record<string, unknown> | undefined {
  const known = shared.find(type, 'input') ?? shared.find(type, 'foreign');
  const published = known && shared.resolve(known.definition).properties;
  if (!published) return undefined;
  const found = properties.of(type, 'input').flatMap(({ name, symbol }) => {
    const property = Object.hasOwn(published, name) ? shared.resolve(published[name]!) : undefined;
    return property?.default === undefined || initialiserOf(symbol)
      ? []
      : [[name, property.default] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
