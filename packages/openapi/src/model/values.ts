import type { Schema } from '../read/openapi-document.js';
import { isHidden } from '../read/shape-values.js';
import { isObject } from '../read/specification.js';
import { isRounded } from './long-integers.js';
import { type JsonSchema, typesOf } from './schema-facts.js';

/**
 * The formats that servers check, and `byte`, which says how a text is written. Others are notes for people: `duration` is "3.5s" at
 * one company and "1h30m" at another, and a `regex` may be one of another language.
 */
export const formats = new Set([
  'date-time',
  'date',
  'time',
  'email',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'ipv4',
  'ipv6',
  'hostname',
  'byte',
]);

/** The allowed values. Where the type is text, so are they, whatever the document writes. */
export function valuesOf(schema: Schema): unknown[] {
  const values = (schema.enum ?? []).filter((value) => value !== null && !isObject(value));
  // Nobody knows what the digits of such a value were, or sees all of its characters. The API checks it.
  if (values.some((value) => isRounded(value) || isHidden(value))) return [];
  return [...new Set(values.map((value) => (isText(schema) ? String(value) : value)))];
}

/** A longer list says no more to a model than some examples. */
const MOST_VALUES = 80;

/**
 * Whether the values are all that a caller may send. Texts that the document writes as numbers only show what a value looks
 * like: YAML reads 1.0 as 1 and 1.10 as 1.1.
 */
export const isClosed = (schema: Schema, values: readonly unknown[]): boolean =>
  values.length > 0 &&
  values.length <= MOST_VALUES &&
  !(isText(schema) && schema.enum!.some((value) => typeof value === 'number'));

function isText(schema: Schema): boolean {
  const [type, ...others] = typesOf(schema);
  return type === 'string' && others.length === 0;
}

/** Whether a value keeps the bounds of its schema. An empty text has no format. */
function isWithin(value: unknown, schema: Schema): boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity, format } = schema;
  if (typeof value === 'number') return value >= minimum && value <= maximum;
  if (typeof value !== 'string') return true;
  const isWrong = value === '' && format !== undefined && formats.has(format);
  return !isWrong && value.length >= minLength && value.length <= maxLength;
}

/** A default that fits; documents have others. */
export function initial(schema: Schema): JsonSchema {
  const { default: value } = schema;
  if (value === undefined || value === null || isObject(value)) return {};
  if (isRounded(value) || isHidden(value)) return {};
  const values = valuesOf(schema);
  if (values.length > 0) return values.includes(value) ? { default: value } : {};
  const types = typesOf(schema);
  const type = typeof value === 'number' && Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
  return types.some((each) => type.includes(each)) && isWithin(value, schema) ? { default: value } : {};
}
