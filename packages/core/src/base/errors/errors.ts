import type { ErrorCode } from './catalogue.js';

const BRAND = Symbol.for('toolwright.error');

/**
 * The base class of every error that Toolwright throws on purpose. `code` is stable and listed in
 * docs/errors.md. The brand lets `isToolwrightError` recognise errors from another copy of the package in the
 * same process.
 */
export abstract class ToolwrightError extends Error {
  abstract readonly code: ErrorCode | string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** The brand is on the prototype, because Node.js prints the own members of an error that nobody caught. */
  get [BRAND](): true {
    return true;
  }
}

/** True for an error of this framework, from this copy of the package or another. */
export function isToolwrightError(error: unknown): error is ToolwrightError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

export interface ToolErrorOptions extends ErrorOptions {
  /**
   * Your own code for this error. It appears only in your logs and in the audit log. Default `TW_TOOL_ERROR`.
   */
  code?: string;
  /** Sent to the client in the result's `_meta`, as JSON. What contains itself is left out, and logged. */
  meta?: Record<string, unknown>;
}

/**
 * The only error whose text reaches the model. Throw it from a tool when the caller can do something about
 * the failure. The call then returns a result with `isError: true`. For any other error, the caller gets a
 * generic text and a reference id, and the server logs the error in full.
 *
 * @example
 * throw new ToolError(`No page has the id ${pageId}. Search for it with search_pages first.`);
 */
export class ToolError extends ToolwrightError {
  readonly code: string;
  readonly meta: Record<string, unknown> | undefined;

  constructor(message: string, { code = 'TW_TOOL_ERROR', meta, ...options }: ToolErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.meta = meta;
  }
}

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
    /** The JSON-RPC `error.code`: an integer, else it becomes -32603. */
    readonly rpcCode: number,
    message: string,
    /** The JSON-RPC `error.data`, as JSON. What contains itself is left out, and logged. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** True for a `ToolError` of any copy of this package: its text may reach the model. */
export function isToolError(error: unknown): error is ToolError {
  return isToolwrightError(error) && 'meta' in error;
}

/** The text of a `ToolError`. `undefined` for other errors, whose texts nobody gets to read. */
export function wordsOf(error: unknown): string | undefined {
  return isToolError(error) ? error.message : undefined;
}

/** True for a `ProtocolError` of any copy of this package: its text and data may reach the client. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isToolwrightError(error) && 'rpcCode' in error;
}
