import { valueText } from '../numbers/exact-number-text.js';
import type { JsonSchema } from './json-schema.js';

/** The words of the author come first. */
export function withWords(description: string | undefined, words: string): string {
  if (!description) return words;
  return `${description}${/[.!?:]$/.test(description) ? '' : '.'} ${words}`;
}

/** The label of a schema, with its type: `amount (number)`, `string or null`, `"a" or "b"`. */
export function wordsOf(schema: JsonSchema): string {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const words = values
    ? values.map(valueText)
    : (schema.anyOf?.map(wordsOf) ?? [schema.type ?? schema.$ref?.split('/').at(-1) ?? 'any value'].flat());
  const type = [...new Set(words)].join(' or ');
  return schema.title ? `${schema.title} (${type})` : type;
}

/** The elements of a tuple in words: "Items in this order: text, number." */
export function orderOf(elements: readonly JsonSchema[], rest: JsonSchema | undefined): string {
  const names = elements.map(wordsOf);
  return `Items in this order: ${names.join(', ')}${rest ? `, then any number of: ${wordsOf(rest)}` : ''}.`;
}
