import type { Era } from '../revision.js';
import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/** The same code that 2026-07-28 gives any wrong parameter; a code of its own before that. */
export function resourceNotFound(uri: string, era: Era): ProtocolError {
  const code = era === 'stateless' ? JsonRpcCode.invalidParams : JsonRpcCode.resourceNotFound;
  const told = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new ProtocolError(code, `Resource not found: ${told}`, { uri });
}
