import { DATA_KEYWORDS, HOLDERS, holdsInteger, partsOf, traitsOf, oncePerSchema } from '@toolwright/json';
import { type JsonObject, isJsonObject } from './json-rpc.js';
import { methodRecord, mirroredParameter, readNames } from './methods.js';
import { namesOf } from './revisions.js';

/** Reads a header by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** An argument that clients repeat in the header `Mcp-Param-<header>`. */
export interface ParamHeader {
  /** In lower case and with its prefix, as Node names incoming headers. */
  header: string;
  path: readonly string[];
  type: 'string' | 'integer' | 'boolean';
}

interface ParamHeaderPlan {
  headers: readonly ParamHeader[];
  /** Finds violations of the rules for `x-mcp-header`. Clients drop a tool that has any. */
  problems: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Reads the `x-mcp-header` declarations of an input schema (2026-07-28 Schema Extension). */
export const planParamHeaders = oncePerSchema((schema): ParamHeaderPlan => {
  const headers: ParamHeader[] = [];
  const problems: string[] = [];
  const visit = (node: unknown, path: readonly string[], reachable: boolean): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, path, false);
    if (!isJsonObject(node)) return;
    if (Object.hasOwn(node, 'x-mcp-header')) {
      const problem =
        reachable && path.length > 0 ? declare(node, path, headers) : 'is not reached by properties alone';
      if (problem) problems.push(`x-mcp-header at "${path.join('.')}" ${problem}`);
    }
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties' && isJsonObject(value)) {
        for (const [name, property] of Object.entries(value)) visit(property, [...path, name], reachable);
      } else if (!VALUES.has(keyword)) {
        visitOther(keyword, value, path);
      }
    }
  };
  /**
   * Maps of schemas are visited entry by entry, so that a property with the name "x-mcp-header" is not taken
   * for the keyword.
   */
  const visitOther = (keyword: string, value: unknown, path: readonly string[]) => {
    if (HOLDERS.maps.has(keyword) && isJsonObject(value))
      for (const item of Object.values(value)) visit(item, path, false);
    else visit(value, path, false);
  };
  for (const part of partsOf(schema))
    if (traitsOf(part).hasHeader) visit(part, [], part === partsOf(schema)[0]);
  return { headers, problems };
});

/** Keywords that contain data and not schemas. */
const VALUES = new Set([...DATA_KEYWORDS, 'x-mcp-header', 'required', 'type']);

function declare(node: JsonObject, path: readonly string[], headers: ParamHeader[]): string | undefined {
  const name = node['x-mcp-header'];
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'must be a non-empty HTTP token';
  const type = node['type'];
  if (type !== 'string' && type !== 'integer' && type !== 'boolean')
    return 'must be on a string, integer or boolean';
  const header = `mcp-param-${name.toLowerCase()}`;
  if (headers.some((other) => other.header === header)) return `repeats the header "${name}"`;
  headers.push({ header, path, type });
  return undefined;
}

/**
 * Compares the mirrored headers of a call with its arguments. Returns what is wrong, or `undefined`. Servers
 * must refuse a difference: a proxy that routed the request by its headers would have seen other values than
 * the tool.
 */
export function findHeaderMismatch(
  headers: readonly ParamHeader[],
  args: JsonObject,
  read: (header: string) => string | undefined,
): string | undefined {
  for (const { header, path, type } of headers) {
    const raw = read(header);
    const value = valueAt(args, path);
    if (value === undefined || value === null) {
      if (raw !== undefined) return `The header "${header}" has no value in the arguments.`;
      continue;
    }
    if (raw === undefined && typeof value === 'object') continue; // nothing to mirror; validation refuses it
    if (raw === undefined) return `The header "${header}" is missing.`;
    const decoded = decodeHeaderValue(raw);
    if (decoded === undefined) return `The header "${header}" cannot be decoded.`;
    if (!isSameValue(decoded, value, type)) return `The header "${header}" differs from the arguments.`;
  }
  return undefined;
}

function valueAt(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function isSameValue(header: string, value: unknown, type: ParamHeader['type']): boolean {
  if (type === 'integer' && typeof value === 'number') {
    if (/^[+-]?\d+$/.test(header) && !holdsInteger(header.replace(/^\+/, ''))) return false;
    return /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(header) && Number(header) === value;
  }
  return typeof value !== 'object' && header === String(value);
}

const ENCODED = /^=\?base64\?(.*)\?=$/s;
const PLAIN = /^[\t\x20-\x7e]*$/;
// A byte order mark is part of the value. Without it, two different values could become equal.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a mirrored header: base64 of UTF-8 between the exact markers, or else the header itself. Returns
 * `undefined` when it contains characters that a header may not have, or when the base64 or the UTF-8 is broken
 * (2026-07-28 Value Encoding).
 */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!PLAIN.test(raw)) return undefined;
  const value = raw.trim();
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  // A value has one spelling: what `encodeHeaderValue` writes.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Writes a value as `decodeHeaderValue` reads it: as it is if that is printable and unambiguous, else as base64. */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !ENCODED.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** The headers of the protocol whose values have no comma. */
const SINGLE: ReadonlySet<string> = new Set(['mcp-protocol-version', 'mcp-session-id', 'mcp-method']);

/**
 * The value of a header that may have come several times. Some proxies double headers, and readers join them, so equal
 * values of a header of the protocol count as one. Different ones stay joined, and equal nothing.
 *
 * @param name in lower case
 */
export function headerOnce(name: string, value: string | readonly string[] | undefined): string | undefined {
  const joined = typeof value === 'object' ? value.join(', ') : value;
  if (joined === undefined || !joined.includes(',') || !SINGLE.has(name)) return joined;
  const values = joined.split(',').map((each) => each.trim());
  return values.every((each) => each === values[0]) ? values[0]! : joined;
}

/** A name may have commas of its own: one of two equal halves, or `undefined`. */
export function halfOf(joined: string): string | undefined {
  const end = joined.length / 2 - 1;
  const half = joined.slice(0, end);
  return joined === `${half}, ${half}` ? half : undefined;
}

/**
 * The headers that repeat what a message asks for (2026-07-28 Standard Request Headers). Clients over HTTP send them.
 *
 * @param message as the revision writes it
 */
export function routingHeaders(
  version: string | undefined,
  message: { readonly method: string; readonly params?: JsonObject | undefined },
): Record<string, string> {
  const { method, params = {} } = readNames(namesOf(version), message);
  const record = methodRecord(method);
  const parameter = record && mirroredParameter(record);
  const name = parameter === undefined ? undefined : params[parameter];
  return {
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}
