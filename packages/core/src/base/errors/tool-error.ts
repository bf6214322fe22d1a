import { ToolwrightError } from './toolwright-error.js';

export interface ToolErrorOptions extends ErrorOptions {
  /** A code of your own; part of nothing but your logs and audit. Default `TW_TOOL_ERROR`. */
  code?: string;
  /** Goes to the client in the result's `_meta`. Must be JSON. */
  meta?: Record<string, unknown>;
}

/**
 * The one error whose text reaches the model: throw it from a tool when the caller can do something about the
 * failure. It becomes a result with `isError: true`. Any other error is answered with a generic text and a
 * reference id, and logged in full.
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
