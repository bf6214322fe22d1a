import type { Era } from '../revision.js';
import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/** On 2026-07-28 this is the code of any wrong parameter. Older revisions have a separate code for it. */
export function resourceNotFound(uri: string, era: Era): ProtocolError {
  const code = era === 'stateless' ? JsonRpcCode.invalidParams : JsonRpcCode.resourceNotFound;
  const told = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new ProtocolError(code, `Resource not found: ${told}`, { uri });
}
