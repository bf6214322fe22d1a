import { createHash } from 'node:crypto';
import type { JsonSchema } from '../schema/json-schema.js';
import { isScalar } from '../base/json-values.js';

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

/** One rule of a class. `@IsOptional()` counts as the rule `isoptional`. */
export interface PropertyRule extends Constraint {
  readonly property: string;
}

/**
 * A hash of the rules of a class. The compiler computes it from the decorators in the source, and the server
 * from class-validator's records. If the two differ, the source did not show what class-validator checks.
 *
 * @returns 16 hexadecimal digits, or an empty text if there are no rules; the order does not matter
 */
export function digestRules(rules: readonly PropertyRule[]): string {
  if (rules.length === 0) return '';
  return createHash('sha256').update(rules.map(lineOf).sort().join('\n')).digest('hex').slice(0, 16);
}

function lineOf({ property, name, each, arguments: given }: PropertyRule): string {
  // The decorator is called Length, and class-validator's record isLength.
  const rule = name === 'length' ? 'islength' : name;
  // A nested value is checked alike with and without `each`.
  const isEach = each && rule !== 'validatenested';
  // class-validator adds the values of an enumeration to its record.
  const shown = rule === 'isenum' ? [] : given.slice(0, 2).map(textOf);
  return JSON.stringify([property, rule, isEach, ...shown]).replace(/(?:,null)+\]$/, ']');
}

/** Only values that are the same in the source and in the record. The record may have empty options. */
function textOf(argument: unknown): unknown {
  if (argument instanceof RegExp) return String(argument);
  if (Array.isArray(argument)) return argument.every(isScalar) ? argument : null;
  return isScalar(argument) ? argument : null;
}
