import type { Definition } from '../types/tjs-internals.js';

/**
 * Puts words onto a property, unless it has some of its own.
 *
 * @param path to the property
 * @param resolve gives what a reference stands for
 * @returns undefined when there is no such property
 */
export function describeProperty(
  schema: Definition,
  { path: [key, ...deeper], text }: { path: readonly string[]; text: string },
  resolve: (schema: Definition) => Definition,
): Definition | undefined {
  const object = resolve(schema);
  const { properties, additionalProperties, type } = object;
  if (typeof type === 'string' && PLAIN.has(type)) return undefined;
  // Lists, unions and dictionaries have nothing to put them onto.
  if (!properties || additionalProperties) return schema;
  const property = properties[key!];
  if (!property) return undefined;
  const described =
    deeper.length > 0
      ? describeProperty(property, { path: deeper, text }, resolve)
      : { ...property, ...(text && { description: property.description ?? text }) };
  return described && { ...object, properties: { ...properties, [key!]: described } };
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean', 'null']);
