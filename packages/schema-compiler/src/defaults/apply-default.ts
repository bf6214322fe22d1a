import type { ts } from 'typescript-json-schema';
import type { ValueFault } from '../diagnostics/value-faults.js';
import type { DocKeywords } from '../docs/read-doc-keywords.js';
import { initialiserOf } from '../types/members.js';
import type { Definition } from '../types/tjs-internals.js';
import type { PropertyRules, Resolve } from '../validators/property-rules.js';
import { foldConstant } from './fold-constant.js';
import { toJsonDefault } from './to-json-default.js';

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
): ValueFault[] {
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

function contradiction(value: unknown, { keywords }: DocKeywords): ValueFault {
  const said = JSON.stringify(keywords.default);
  const detail = `@default says ${said}, but the code says ${JSON.stringify(value)}. The schema has the default of the code.`;
  return { code: 'TW_SCHEMA_DEFAULT', detail };
}
