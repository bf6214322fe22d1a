import { ToolwrightError } from './toolwright-error.js';

/**
 * The JSON-RPC error codes of the Model Context Protocol. No other code from -32768 to -32000 is ever sent.
 */
export const JsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The resource was not found; only on revisions before 2026-07-28. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** The user must open a URL first; only on 2025-11-25. */
  urlElicitationRequired: -32042,
} as const;

/**
 * An error that is answered as a JSON-RPC error and not as a result: the request itself was wrong. The client
 * receives its message and its data.
 */
export class ProtocolError extends ToolwrightError {
  readonly code = 'TW_PROTOCOL_ERROR';

  constructor(
    /** The JSON-RPC `error.code`. */
    readonly rpcCode: number,
    message: string,
    /** The JSON-RPC `error.data`. It must be JSON. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}
