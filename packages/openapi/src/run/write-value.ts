import { exactNumberText, writeJson } from '@toolwright/core/transport';
import { StyledValue, type ValueStyle } from './styled-value.js';

/** A name and a value of a query or a form, both as they are sent. */
export type Pair = readonly [name: string, value: string];

/** Half of a surrogate pair has no bytes in UTF-8, so it becomes U+FFFD. */
export const encode = (value: unknown) => encodeURIComponent(Buffer.from(textOf(value)).toString());

/** Characters of RFC 3986 that have a meaning in URLs, and that `reserved` leaves. `#` and `&` would end the value. */
const encodeReserved = (value: unknown) =>
  encode(value).replace(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent);

/** A value as JSON. Bytes are base64 there, as the specification says of them, and an integer has all its digits. */
export const jsonOf = (value: unknown): string => writeJson(value, undefined, bytesAsText);

/** `Buffer.toJSON` has turned bytes into a list of numbers by then, so the text is made of the value itself. */
const bytesAsText = (value: unknown, json: unknown) => (value instanceof Uint8Array ? textOf(value) : json);

/** A value as text. Nested objects have no other form than JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'number') return exactNumberText(value);
  return typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array);

const entriesOf = (value: Record<string, unknown>) =>
  Object.entries(value).filter(([, each]) => each !== undefined);

function unwrap(given: unknown): { value: unknown; style: ValueStyle | undefined } {
  return given instanceof StyledValue ? given : { value: given, style: undefined };
}

/** One parameter of a query, encoded. What is missing is left out. */
export function writeQuery(name: string, given: unknown, encoded = encode): Pair[] {
  const { value, style } = unwrap(given);
  if (value === undefined || value === null) return [];
  // What is reserved may have a style itself.
  if (style === 'reserved') return writeQuery(name, value, encodeReserved);
  const key = encode(name);
  if (style === 'json') return [[key, encoded(jsonOf(value))]];
  if (style === 'deepObject') return deepPairs(key, value, encoded);
  const separator = { commaSeparated: ',', spaceDelimited: '%20', pipeDelimited: '%7C' }[style as string];
  if (separator !== undefined) {
    const parts = partsOf(value).map(encoded);
    return parts.length === 0 ? [] : [[key, parts.join(separator)]];
  }
  if (Array.isArray(value)) return value.map((each) => [key, encoded(each)]);
  if (isRecord(value))
    return entriesOf(value).flatMap(([member, each]) =>
      writeQuery(member, isRecord(each) ? jsonOf(each) : each, encoded),
    );
  return [[key, encoded(value)]];
}

/** The members of a list; names and values of an object in turn. */
function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? entriesOf(value).flat() : [value];
}

/** `a[b][c]=1`; a list of plain values is `a[]=1&a[]=2`, and one of objects has numbers. */
function deepPairs(key: string, value: unknown, encoded: typeof encode): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((each, index) =>
      deepPairs(isRecord(each) ? `${key}[${index}]` : `${key}[]`, each, encoded),
    );
  if (isRecord(value))
    return entriesOf(value).flatMap(([name, each]) => deepPairs(`${key}[${encode(name)}]`, each, encoded));
  return [[key, encoded(value)]];
}

/** One parameter of a path, encoded. */
export function writePath(name: string, given: unknown): string {
  const { value, style } = unwrap(given);
  if (style === 'json') return encode(jsonOf(value));
  const pairs = isRecord(value)
    ? entriesOf(value).map(([member, each]) => `${encode(member)}=${encode(each)}`)
    : undefined;
  const parts = partsOf(value).map(encode);
  switch (style) {
    case 'label':
      return `.${parts.join(',')}`;
    case 'labelExploded':
      return `.${(pairs ?? parts).join('.')}`;
    case 'matrix':
      return `;${encode(name)}=${parts.join(',')}`;
    case 'matrixExploded':
      return (pairs ?? parts.map((part) => `${encode(name)}=${part}`)).map((each) => `;${each}`).join('');
    case 'exploded':
      return (pairs ?? parts).join(',');
    default:
      return parts.join(',');
  }
}

/** One header, not encoded; undefined if it is missing. */
export function writeHeader(given: unknown): string | undefined {
  const { value, style } = unwrap(given);
  if (value === undefined || value === null) return undefined;
  if (style === 'json') return jsonOf(value);
  if (isRecord(value) && style === 'exploded')
    return entriesOf(value)
      .map(([member, each]) => `${member}=${textOf(each)}`)
      .join(',');
  return partsOf(value).map(textOf).join(',');
}

/** A member of a form. Objects without a style are JSON, as the encoding of OpenAPI 3 says. */
export function writeForm(name: string, given: unknown): Pair[] {
  const { value, style } = unwrap(given);
  if (style !== undefined) return writeQuery(name, given);
  if (isRecord(value) || (Array.isArray(value) && value.some(isRecord)))
    return [[encode(name), encode(jsonOf(value))]];
  return writeQuery(name, value);
}
