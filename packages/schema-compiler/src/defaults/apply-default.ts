import type { ts } from 'typescript-json-schema';
import { initialiserOf } from '../types/members.js';
import type { Definition } from '../types/tjs-internals.js';
import type { PropertyRules, Resolve } from '../validators/property-rules.js';
import { foldConstant } from './fold-constant.js';
import { toJsonDefault } from './to-json-default.js';

/** Puts the initialiser of a property into its schema, where it is a constant. */
export function applyDefault(
  property: ts.Symbol,
  definition: Definition,
  { checker, rules, resolve }: { checker: ts.TypeChecker; rules: PropertyRules; resolve: Resolve },
): void {
  const initialiser = initialiserOf(property);
  if (!initialiser) return;
  const folded = foldConstant(initialiser, checker);
  rules.noteInitial(property, definition, { folded, resolve });
  const value = folded && toJsonDefault(folded.value);
  if (value !== undefined) definition.default = value;
}
