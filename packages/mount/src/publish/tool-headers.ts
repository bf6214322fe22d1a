import { isHttpToken, isObject, memberAt } from '@toolwright/json';
import { exactNumberText } from '@toolwright/core/transport';

/** An argument that must be repeated in a header, so that proxies can route by it (SEP-2243). */
interface RepeatedArgument {
  readonly header: string;
  readonly path: readonly string[];
}

/** The arguments of a tool that are repeated in headers. */
export function repeatedArguments(schema: unknown, path: readonly string[] = []): RepeatedArgument[] {
  if (!isObject(schema) || path.length > 16) return [];
  const name = schema['x-mcp-header'];
  const own =
    typeof name === 'string' && path.length > 0 && isHttpToken(name)
      ? [{ header: `Mcp-Param-${name}`, path }]
      : [];
  const { properties } = schema;
  if (!isObject(properties)) return own;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([key, part]) => repeatedArguments(part, [...path, key])),
  ];
}

/** The headers of one call. */
export function headersFor(
  repeated: readonly RepeatedArgument[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> | undefined {
  if (repeated.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { header, path } of repeated) {
    const value = memberAt(args, path);
    if (value !== undefined && value !== null && typeof value !== 'object')
      headers[header] = encode(typeof value === 'number' ? exactNumberText(value) : String(value));
  }
  return headers;
}

/** A header carries visible ASCII. Anything else travels as base64 between markers. */
function encode(value: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
