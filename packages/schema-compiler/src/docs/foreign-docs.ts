import { ts } from 'typescript-json-schema';
import type { DocKeywords } from './read-doc-keywords.js';

/** Tags to which other tools give another meaning: JSDoc's `@type {string}`, `@enum`, `@id` of a ticket. */
const AMBIGUOUS = new Set([
  'type', 'enum', 'items', 'contains', 'additionalProperties', '$ref', 'id', '$id', '$comment',
]); // prettier-ignore

/** Whether an installed package declares a symbol. Its doc comments were not written for this compiler. */
export function isInstalled(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  return /[\\/]node_modules[\\/]/.test(declaration?.getSourceFile().fileName ?? '');
}

/**
 * The part of another package's comment that is used: its text, and the tags that can only mean a constraint.
 */
export function foreignDocs(docs: DocKeywords, symbol: ts.Symbol): DocKeywords {
  const isValue = !!(symbol.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Variable));
  const kept = Object.entries(docs.keywords).filter(
    ([name]) => !AMBIGUOUS.has(name) && (isValue || (name !== 'default' && name !== 'examples')),
  );
  return { keywords: Object.fromEntries(kept), raw: docs.raw, nullable: false, problems: [] };
}
