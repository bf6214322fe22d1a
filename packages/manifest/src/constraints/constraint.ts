import type { JsonSchema } from '../json-schema.js';

/** One validation decorator of class-validator with its arguments. */
export interface Constraint {
  /** class-validator's name of the check in lower case: `isstring`. */
  readonly name: string;
  /** A missing argument is `undefined`. */
  readonly arguments: readonly unknown[];
  /** Whether the check applies to each item of an array instead of the array. */
  readonly each: boolean;
}

/**
 * How much of a check a schema can express: all of it; nearly all, so that values of a model are rarely
 * refused; a part; nothing.
 */
export type Fit = 'exact' | 'close' | 'rough' | 'none';

/**
 * What a constraint adds to a schema. In the usual cases the schema does not refuse what class-validator
 * accepts.
 */
export interface SchemaPart {
  readonly keywords: JsonSchema;
  readonly fit: Fit;
}

/** The JSON types whose values a check may accept. It refuses values of all other types. */
export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The JSON Schema form of one of class-validator's checks. */
export interface ConstraintRule {
  /** Without it: values of any type except null. */
  readonly on?: readonly JsonType[];
  /** Whether the check accepts `null` and a missing property. Without it: neither. */
  readonly absent?: 'both' | 'missing';
  /** The check compares with a list of values, and null may be one of them. */
  readonly isList?: boolean;
  /** `schema` is the schema of the value, or of the item. */
  say(args: readonly unknown[], schema: JsonSchema): SchemaPart;
}

export const nothing: SchemaPart = { keywords: {}, fit: 'exact' };
export const unsaid: SchemaPart = { keywords: {}, fit: 'none' };

export const exactly = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'exact' });
export const closely = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'close' });
export const roughly = (keywords: JsonSchema): SchemaPart => ({ keywords, fit: 'rough' });
