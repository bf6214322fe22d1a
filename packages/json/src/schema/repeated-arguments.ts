import { isObject, memberAt } from '../base/json-values.js';
import { exactNumberText } from '../numbers/exact-number-text.js';
import { LongInteger } from '../numbers/read-json.js';
import { isHttpToken } from '../text/http-token.js';

/** An argument that must be repeated in a header, so that proxies can route by it (`x-mcp-header`, SEP-2243). */
interface RepeatedArgument {
  /** What is behind `Mcp-Param-`. */
  readonly header: string;
  readonly path: readonly string[];
}

/** The arguments of a tool that are repeated in headers. */
export function repeatedArguments(schema: unknown, path: readonly string[] = []): RepeatedArgument[] {
  if (!isObject(schema) || path.length > 16) return [];
  const { properties, 'x-mcp-header': header } = schema;
  const own = typeof header === 'string' && path.length > 0 && isHttpToken(header) ? [{ header, path }] : [];
  const inside = isObject(properties) ? Object.entries(properties) : [];
  return [...own, ...inside.flatMap(([key, part]) => repeatedArguments(part, [...path, key]))];
}

/** What the headers of one call say. An argument that is missing or null has no header. */
export function repeatedTexts(
  repeated: readonly RepeatedArgument[],
  args: unknown,
): readonly (readonly [header: string, text: string])[] {
  return repeated.flatMap(({ header, path }) => {
    const value = memberAt(args, path);
    if (typeof value === 'number') return [[header, exactNumberText(value)] as const];
    const isText = typeof value !== 'object' || value instanceof LongInteger;
    return value !== undefined && isText ? [[header, String(value)] as const] : [];
  });
}
