import type { JsonSchema } from '@toolwright/json';
import { encodeHeader } from './http-channel.js';

/**
 * The `Mcp-Param-*` headers of a call. They repeat parameters whose schema has `x-mcp-header` (2026-07-28,
 * basic/transports/streamable-http). Missing and null values have no header.
 */
export function mirroredHeaders(
  schema: JsonSchema,
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && value !== undefined && value !== null) {
      headers[`mcp-param-${header}`] = encodeHeader(String(value));
    } else if (property.properties && typeof value === 'object' && value !== null) {
      Object.assign(headers, mirroredHeaders(property, value as Record<string, unknown>));
    }
  }
  return headers;
}
