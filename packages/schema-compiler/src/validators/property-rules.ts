import type { ts } from 'typescript-json-schema';
import type { Role } from '../types/role.js';
import type { Definition } from '../types/tjs-internals.js';

/** What the decorators of class-validator and class-transformer say about the properties of a class. */
export interface PropertyRules {
  /** Name in JSON, or undefined where the property does not travel in this direction. */
  jsonName(property: ts.Symbol, role: Role): string | undefined;
  /** A getter that is serialised all the same. */
  isExposed(property: ts.Symbol): boolean;
  isOptional(property: ts.Symbol): boolean;
  /** Adds the constraints to the property's schema. */
  apply(property: ts.Symbol, definition: Definition, role: Role): void;
}
