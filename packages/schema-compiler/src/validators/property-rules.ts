import type { ts } from 'typescript-json-schema';
import type { Folded } from '../defaults/fold-constant.js';
import type { Role } from '../types/role.js';
import type { Definition } from '../types/tjs-internals.js';

/** What else is known of a property. */
export interface KnownOfProperty {
  /** The keywords of its doc tags. */
  tags: Definition;
  /** Gives what a reference stands for. */
  resolve: (schema: Definition) => Definition;
}

export interface RuleFault {
  code: 'TW_SCHEMA_DECORATOR_TYPE' | 'TW_SCHEMA_TAG_CONFLICT';
  detail: string;
}

/** What a reference of a schema stands for. */
export type Resolve = (definition: Definition) => Definition;

/** What the decorators of class-validator and class-transformer say about the properties of a class. */
export interface PropertyRules {
  /** Name in JSON, or undefined where the property does not travel in this direction. */
  jsonName(property: ts.Symbol, role: Role): string | undefined;
  /** A getter that is serialised all the same. */
  isExposed(property: ts.Symbol): boolean;
  /** class-validator takes an object without it, always or under a condition that no schema says. */
  isOptional(property: ts.Symbol): boolean;
  /** The class that `@Type` names, for values whose declared type says nothing. */
  classOfOpen(property: ts.Symbol): ts.Type | undefined;
  /** class-validator refuses an argument without it, whatever the type says. Known once its rules were applied. */
  isDemanded(property: ts.Symbol): boolean;
  /** class-validator is to see the JSON value: what the type says is made of it afterwards. */
  isLate(property: ts.Symbol): boolean;
  /** Key of a class whose rules only the run time knows in full. */
  mergedClass(type: ts.Type): string | undefined;
  /** class-transformer knows the class of the values. */
  isTyped(property: ts.Symbol): boolean;
  /** The schema of a property with what its decorators ask for. */
  apply(property: ts.Symbol, definition: Definition, context: { role: Role; resolve: Resolve }): Definition;
  /** Notes the value that a property has where no argument gives one; `folded` where it is a constant. */
  noteInitial(
    property: ts.Symbol,
    definition: Definition,
    initial: { folded: Folded | undefined; resolve: Resolve },
  ): void;
  /** What decorators say against the declared type, and against doc tags. */
  faults(property: ts.Symbol, definition: Definition, known: KnownOfProperty): RuleFault[];
}
