import type { Definition } from '../generator/tjs-adapter.js';

/**
 * Adds a description to a property that has none, and keywords.
 *
 * @param path to the property
 * @param resolve returns the definition that a reference refers to
 * @returns undefined if there is no such property
 */
export function describeProperty(
  schema: Definition,
  { path: [key, ...deeper], text, keywords }: { path: readonly string[]; text: string; keywords: Definition },
  resolve: (schema: Definition) => Definition,
): Definition | undefined {
  const object = resolve(schema);
  const { properties, additionalProperties, type } = object;
  if (typeof type === 'string' && PLAIN.has(type)) return undefined;
  // Lists, unions and maps have no named properties that could be described.
  if (!properties || additionalProperties) return schema;
  const property = properties[key!];
  if (!property) return undefined;
  const described =
    deeper.length > 0
      ? describeProperty(property, { path: deeper, text, keywords }, resolve)
      : { ...property, ...(text && { description: property.description ?? text }), ...keywords };
  if (described === property) return schema;
  return described && { ...object, properties: { ...properties, [key!]: described } };
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean', 'null']);
