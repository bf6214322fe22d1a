import type { JsonSchema } from '../json-schema.js';

/** One validation decorator of class-validator with its arguments. */
export interface Constraint {
  /** As class-validator calls it, in lower case: `isstring`. */
  readonly name: string;
  /** `undefined` in the place of an argument that is left out. */
  readonly arguments: readonly unknown[];
  /** On every item of an array, not on the array. */
  readonly each: boolean;
}

/**
 * How well a schema says what a decorator checks: all of it; nearly all, so that what a model writes is rarely refused;
 * a part of it; nothing.
 */
export type Fit = 'exact' | 'close' | 'rough' | 'none';

/** What a constraint adds to a schema. It never refuses what class-validator accepts of the usual forms. */
export interface SchemaPart {
  readonly keywords: JsonSchema;
  readonly fit: Fit;
}

/** The JSON types of which a check accepts values: of no other ones. */
export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** What one of class-validator's checks is in JSON Schema. */
export interface ConstraintRule {
  /** Absent: values of any type but null. */
  readonly on?: readonly JsonType[];
  /** What the check accepts of `null` and of a property that is not there. Absent: neither. */
  readonly absent?: 'both' | 'missing';
  /** `schema` is that of the value, or of the item. */
  say(args: readonly unknown[], schema: JsonSchema): SchemaPart;
}

export const nothing: SchemaPart = { keywords: {}, fit: 'exact' };
export const unsaid: SchemaPart = { keywords: {}, fit: 'none' };

export const exactly = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'exact' });
export const closely = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'close' });
export const roughly = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'rough' });
