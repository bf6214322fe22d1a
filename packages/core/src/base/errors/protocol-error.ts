import { ToolwrightError } from './toolwright-error.js';

/** JSON-RPC error codes that the Model Context Protocol uses; no other code from -32768…-32000 is ever sent. */
export const JsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Resource not found, on revisions before 2026-07-28. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** URL elicitation required, on 2025-11-25 only. */
  urlElicitationRequired: -32042,
} as const;

/**
 * Answered as a JSON-RPC error instead of a result: the request itself was wrong, not what the tool did. Its
 * message and data reach the client.
 */
export class ProtocolError extends ToolwrightError {
  readonly code = 'TW_PROTOCOL_ERROR';

  constructor(
    /** The JSON-RPC `error.code`. */
    readonly rpcCode: number,
    message: string,
    /** The JSON-RPC `error.data`; must be JSON. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}
