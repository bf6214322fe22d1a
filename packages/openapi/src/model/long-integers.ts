import { DIGITS, isDigitPattern } from '@toolwright/json';
import type { Schema } from '../read/openapi-document.js';
import type { JsonSchema } from './schema-facts.js';

/**
 * The types of an integer that a double may not hold. JSON keeps its digits only in a string: most programs round the number
 * when they read it.
 */
const TYPES = ['integer', 'string'];

/** Whether the type and the format of a schema mean integers. */
export const isWhole = (type: string, { format = '' }: Schema) =>
  type === 'integer' || (type === 'number' && /^u?int/.test(format));

/**
 * Whether an API may have integers there that a double does not hold: its format says so, or nothing else is said. A bound
 * below 2^53 speaks against it. So does a default, because nobody writes one for ids.
 */
export function mayBeLong({ format, maximum, exclusiveMaximum, default: initial }: Schema): boolean {
  const most = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : maximum;
  if (most !== undefined && most <= Number.MAX_SAFE_INTEGER) return false;
  return format === undefined ? initial === undefined || isRounded(initial) : /^u?int64$|^long$/.test(format);
}

/** Whether a value of a specification may have been another integer: the readers of JSON and YAML round it. */
export const isRounded = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

/** An integer in an answer, or its digits. */
export const longAnswer = (): JsonSchema => ({ type: [...TYPES] });

/** An integer as an argument, or its digits. */
export const longArgument = (): JsonSchema => ({ type: [...TYPES], pattern: DIGITS });

/** Whether a schema is one that `longArgument` made. It may accept null, too. */
export const isLongArgument = ({ type, pattern }: JsonSchema) =>
  isDigitPattern(pattern) && Array.isArray(type) && TYPES.every((each) => type.includes(each));

/** The same for a place where any text is accepted: nobody could tell the digits of an integer from a text of digits. */
export function withoutDigits(schema: JsonSchema): JsonSchema {
  if (!isLongArgument(schema)) return schema;
  const { pattern: _digits, type, ...others } = schema;
  return { ...others, type: [type ?? []].flat().includes('null') ? ['integer', 'null'] : 'integer' };
}

/** The same for each alternative. */
export const withoutLongForms = (schema: JsonSchema): JsonSchema =>
  schema.anyOf ? { ...schema, anyOf: schema.anyOf.map(withoutDigits) } : withoutDigits(schema);
