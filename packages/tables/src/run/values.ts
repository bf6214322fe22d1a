import { quoteLongIntegers, writeJson } from '@toolwright/core/transport';
import type { BoundColumn, ValueKind } from './database-table.js';

/**
 * Values travel as text in both directions. Drivers have ideas of their own about numbers, dates and lists, and applications
 * change them. The text of Postgres has all digits, and is the same with each driver.
 */

/** The SQL that gives the text of a column. */
export function readExpression({ name, kind, isList }: BoundColumn): string {
  // Its members are lists, which the type of the column does not have.
  if (isList)
    return `CASE WHEN array_ndims(${name}) > 1 THEN NULL ELSE to_json(${isText(kind) ? `${name}::text[]` : name})::text END`;
  if (kind === 'json') return `to_json(${name})::text`;
  // ISO 8601. The text of Postgres has a space in the middle.
  if (kind === 'time') return `to_json(${name}) #>> '{}'`;
  if (kind === 'bytes') return `encode(${name}, 'base64')`;
  return `${name}::text`;
}

const isText = (kind: ValueKind) => kind === 'text' || kind === 'bytes';

/** The value of the text of a column. */
export function readValue({ kind, isList }: BoundColumn, text: unknown): unknown {
  if (typeof text !== 'string') return null;
  if (isList || kind === 'json') return readList(kind, JSON.parse(quoteLongIntegers(text), finiteOnly));
  if (kind === 'integer' || kind === 'number') return finite(Number(text));
  if (kind === 'boolean') return text === 'true';
  return kind === 'bytes' ? Buffer.from(text, 'base64') : text;
}

/** JSON has no infinity, and no value that is not a number. */
const finite = (value: number) => (Number.isFinite(value) ? value : null);

/** A number of JSON may be larger than any double. */
const finiteOnly = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? finite(value) : value;

/** In JSON, Postgres writes `NaN` and infinities as texts. */
const readList = (kind: ValueKind, value: unknown): unknown =>
  kind === 'number' && Array.isArray(value)
    ? value.map((each) => (typeof each === 'string' ? finite(Number(each)) : (each as unknown)))
    : value;

/** A value as the text that Postgres reads. */
export function writeValue(
  { kind, isList }: Pick<BoundColumn, 'kind' | 'isList'>,
  value: unknown,
): string | null {
  if (value === null || value === undefined) return null;
  if (isList && Array.isArray(value))
    return listText(value.map((each) => writeValue({ kind, isList: false }, each)));
  if (kind === 'json') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return String(value as string | number | bigint | boolean);
}

/** A value of a caller in words for people: bytes as base64, lists and objects as JSON. */
export function shownValue(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? (writeJson(value) as string) : String(value);
}

/** A list as Postgres writes one. Each item is quoted, so that none ends the list. */
export const listText = (items: readonly (string | null)[]) =>
  `{${items
    .map((item) => (item === null ? 'NULL' : `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`))
    .join(',')}}`;
