import { createHash } from 'node:crypto';
import type { Constraint } from './constraint.js';

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
  if (Array.isArray(argument)) return argument.every(isPlain) ? argument : null;
  return isPlain(argument) ? argument : null;
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
