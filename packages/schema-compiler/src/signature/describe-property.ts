import { isDefinition, type Definition } from '../generator/tjs-adapter.js';
import { bothHold } from '../docs/both-hold.js';

/**
 * Adds what a `@param` says about a property. What the property says itself holds, too.
 *
 * @param path to the property
 * @param resolve returns the definition that a reference refers to
 * @returns undefined if there is no such property
 */
export function describeProperty(
  schema: Definition,
  said: { path: readonly string[]; text: string; keywords: Definition },
  resolve: (schema: Definition) => Definition,
): Definition | undefined {
  const object = resolve(schema);
  const { properties, additionalProperties, type, items, anyOf } = object;
  if (typeof type === 'string' && PLAIN.has(type)) return undefined;
  // `@param users[].name`: TypeScript reads it as `users.name`.
  if (type === 'array' && isDefinition(items)) {
    const item = describeProperty(items, said, resolve);
    return item === items ? schema : item && { ...object, items: item };
  }
  if (Array.isArray(anyOf)) {
    const parts = (anyOf as Definition[]).map((part) => describeProperty(part, said, resolve) ?? part);
    return parts.every((part, index) => part === anyOf[index]) ? schema : { ...object, anyOf: parts };
  }
  const [key, ...deeper] = said.path;
  const property = properties && Object.hasOwn(properties, key!) ? properties[key!] : undefined;
  // Maps, and values of any type, have no named properties that could be described.
  if (!property) return properties && !additionalProperties ? undefined : schema;
  const { text, keywords } = said;
  const described =
    deeper.length > 0
      ? describeProperty(property, { ...said, path: deeper }, resolve)
      : bothHold(keywords, { ...property, ...describe(text, property) });
  if (described === property) return schema;
  return described && { ...object, properties: { ...properties, [key!]: described } };
}

/** Both texts, the one of the tool first. */
function describe(text: string, { description }: Definition): Definition {
  if (text === '' || text === description) return {};
  return { description: description === undefined ? text : `${text}\n${description as string}` };
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean', 'null']);
