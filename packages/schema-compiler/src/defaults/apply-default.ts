import type { Definition, ts } from '../generator/tjs-adapter.js';
import type { DocKeywords } from '../docs/read-doc-keywords.js';
import type { KeywordProblem } from '../generator/value-problems.js';
import { initialiserOf } from '../types/members.js';
import type { PropertyRules, Resolve } from '../validators/property-rules.js';
import { foldConstant } from './fold-constant.js';

/**
 * Writes the initialiser of a property into its schema, if it is a constant. The value of any other initialiser is
 * known only when the program runs, so no default is published, whatever a doc tag says.
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
  if (value === undefined) return dropUncertain(definition, docs);
  definition.default = value;
  return isContradicted(value, docs) ? [contradiction(value, docs)] : [];
}

/** A default in `@Schema` stays, because the author wrote this schema. */
function dropUncertain(definition: Definition, { keywords }: DocKeywords): KeywordProblem[] {
  const { default: published } = definition;
  const isFromTag = published !== undefined && JSON.stringify(published) === JSON.stringify(keywords.default);
  if (!isFromTag) return [];
  delete definition.default;
  return [{ code: 'TW_SCHEMA_DEFAULT', detail: uncertainDefault(published) }];
}

/** Why a default of a doc tag is not published. */
export function uncertainDefault(said: unknown): string {
  return `@default says ${JSON.stringify(said)}, but the code decides the default when it runs. The schema has none.`;
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
