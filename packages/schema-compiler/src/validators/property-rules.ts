import { isUntyped, type SchemaRole } from '../types/members.js';
import type { Definition, ts } from '../generator/tjs-adapter.js';
import type { Folded } from '../defaults/fold-constant.js';
import type { Discriminator } from './discriminators.js';

/** What else is known about a property. */
export interface KnownOfProperty {
  /** The keywords from its doc tags. */
  tags: Definition;
  /** Returns the definition that a reference refers to. */
  resolve: (schema: Definition) => Definition;
}

export interface RuleProblem {
  code: 'TW_SCHEMA_DECORATOR_TYPE' | 'TW_SCHEMA_TAG_CONFLICT';
  detail: string;
}

/** Returns the definition that a reference in a schema refers to. */
export type Resolve = (definition: Definition) => Definition;

/** What the decorators of class-validator and class-transformer say about the properties of a class. */
export interface PropertyRules {
  /** The name in JSON; undefined if the property is not sent in this direction. */
  jsonName(property: ts.Symbol, role: SchemaRole): string | undefined;
  /** Reports why nobody can send a property without a name in JSON, if the author may not know it. */
  checkLeftOut(property: ts.Symbol, role: SchemaRole): void;
  /** Whether a getter is written into results. */
  isExposed(property: ts.Symbol): boolean;
  /**
   * Whether class-validator accepts an object without the property, always or under a condition that no
   * schema expresses.
   */
  isOptional(property: ts.Symbol): boolean;
  /** The class that `@Type` names for values whose declared type says nothing. */
  classOfOpen(property: ts.Symbol): ts.Type | undefined;
  /**
   * Whether class-validator refuses an argument without the property, whatever the type says. Known after
   * `apply`.
   */
  isDemanded(property: ts.Symbol): boolean;
  /** Whether class-validator has to see the JSON value, before the value of the declared type is created. */
  isLate(property: ts.Symbol): boolean;
  /** The key of a class whose rules are fully known only at run time. */
  mergedClass(type: ts.Type): string | undefined;
  /** The decorators of a property that say more than its type. */
  heldBy(property: ts.Symbol): string[];
  /**
   * Whether only a running class holds the rules of a property, because no schema has them, and the holder is no such class: a mapped type, an
   * intersection, a copy of a value, an interface over the class, a class that implements it. Without a holder, the type of
   * the property is used alone. Known after `apply`.
   */
  isLeftBehind(property: ts.Symbol, holder?: ts.Type): boolean;
  /** Whether class-transformer knows the class of the values. */
  isTyped(property: ts.Symbol): boolean;
  /** How class-transformer finds the class of a value among several. */
  discriminatorOf(property: ts.Symbol): Discriminator | undefined;
  /** The schema of a property, narrowed by its decorators. */
  apply(
    property: ts.Symbol,
    definition: Definition,
    context: { role: SchemaRole; resolve: Resolve },
  ): Definition;
  /** Records the value of a property that no argument sets. `folded` is set if it is a constant. */
  noteInitial(
    property: ts.Symbol,
    definition: Definition,
    initial: { folded: Folded | undefined; resolve: Resolve },
  ): void;
  /** Where decorators contradict the declared type, or doc tags. */
  problems(property: ts.Symbol, definition: Definition, known: KnownOfProperty): RuleProblem[];
}

/** The class that `@Type` names for a property whose declared type is `any`, or a list of `any`. */
export function openClass(
  property: ts.Symbol,
  type: ts.Type,
  { checker, rules }: { checker: ts.TypeChecker; rules: PropertyRules },
): { type: ts.Type; isList: boolean } | undefined {
  const declared = type.isUnion() ? checker.getNonNullableType(type) : type;
  const isList = checker.isArrayType(declared);
  const [item] = isList ? checker.getTypeArguments(declared as ts.TypeReference) : [declared];
  if (!item || !isUntyped(item)) return undefined;
  const known = rules.classOfOpen(property);
  return known && { type: known, isList };
}
