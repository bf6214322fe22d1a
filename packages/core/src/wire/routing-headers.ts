import type { JsonObject } from './json-rpc.js';
import { readNames } from './method-names.js';
import { methodRecord, mirroredParameter } from './methods.js';
import { encodeHeaderValue } from './param-headers.js';
import { namesOf } from './revisions.js';

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
