import { ToolwrightError } from './toolwright-error.js';

export interface ToolErrorOptions extends ErrorOptions {
  /**
   * Your own code for this error. It appears only in your logs and in the audit log. Default `TW_TOOL_ERROR`.
   */
  code?: string;
  /** Sent to the client in the result's `_meta`. It must be JSON. */
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
