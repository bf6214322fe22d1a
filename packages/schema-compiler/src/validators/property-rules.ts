import type { ts } from 'typescript-json-schema';
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

/** What the decorators of class-validator and class-transformer say about the properties of a class. */
export interface PropertyRules {
  /** Name in JSON, or undefined where the property does not travel in this direction. */
  jsonName(property: ts.Symbol, role: Role): string | undefined;
  /** A getter that is serialised all the same. */
  isExposed(property: ts.Symbol): boolean;
  isOptional(property: ts.Symbol): boolean;
  /** Adds the constraints to the property's schema. */
  apply(property: ts.Symbol, definition: Definition, role: Role): void;
  /** What decorators say against the declared type, and against doc tags. */
  faults(property: ts.Symbol, definition: Definition, known: KnownOfProperty): RuleFault[];
}
