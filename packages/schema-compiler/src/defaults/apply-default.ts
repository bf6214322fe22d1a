import type { Definition, ts } from '../generator/tjs-adapter.js';
import type { DocKeywords } from '../docs/read-doc-keywords.js';
import type { KeywordProblem } from '../generator/value-problems.js';
import { initialiserOf } from '../types/members.js';
import type { PropertyRules, Resolve } from '../validators/property-rules.js';
import { foldConstant } from './fold-constant.js';

/**
 * Writes the initialiser of a property into its schema, if it is a constant.
 *
 * @param docs of the property: a `@default` that differs from the initialiser is reported
 */
export function applyDefault(
  property: ts.Symbol,
  definition: Definition,
  {
    checker,
    rules,
    resolve,
    docs,
  }: { checker: ts.TypeChecker; rules: PropertyRules; resolve: Resolve; docs: DocKeywords },
): KeywordProblem[] {
  const initialiser = initialiserOf(property);
  if (!initialiser) return [];
  const folded = foldConstant(initialiser, checker);
  rules.noteInitial(property, definition, { folded, resolve });
  const value = folded && toJsonDefault(folded.value);
  if (value === undefined) return [];
  definition.default = value;
  return isContradicted(value, docs) ? [contradiction(value, docs)] : [];
}

function isContradicted(value: unknown, { keywords, raw }: DocKeywords): boolean {
  const said = keywords.default;
  return said !== undefined && raw.default !== value && JSON.stringify(said) !== JSON.stringify(value);
}

function contradiction(value: unknown, { keywords }: DocKeywords): KeywordProblem {
  const said = JSON.stringify(keywords.default);
  const detail = `@default says ${said}, but the code says ${JSON.stringify(value)}. The schema has the default of the code.`;
  return { code: 'TW_SCHEMA_DEFAULT', detail };
}

/**
 * The JSON form of a constant default. It is undefined for values without a JSON form (`Infinity`, a large
 * bigint, a RegExp).
 */
export function toJsonDefault(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof RegExp) return undefined;
  if (Array.isArray(value)) return value.map(toJsonDefault);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJsonDefault(item)]));
}
