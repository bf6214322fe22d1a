import type { Definition } from '../types/tjs-internals.js';
import type { DocKeywords } from './read-doc-keywords.js';

/** For a string, `@default 10` and `@example 10` mean "10". */
export function coerceToText(definition: Definition, { raw }: DocKeywords): void {
  if (definition.type !== 'string') return;
  if (raw.default !== undefined && ['number', 'boolean'].includes(typeof definition.default))
    definition.default = raw.default;
  if (raw.examples && Array.isArray(definition.examples)) {
    definition.examples = definition.examples.map((value) =>
      ['number', 'boolean'].includes(typeof value)
        ? (raw.examples!.find((text) => JSON.parse(text) === value) ?? value)
        : value,
    );
  }
}
