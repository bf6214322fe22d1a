import type { ProtocolError } from './protocol-error.js';
import type { ToolError } from './tool-error.js';
import { isToolwrightError } from './toolwright-error.js';

/** True for a `ToolError` of any copy of this package: its text may reach the model. */
export function isToolError(error: unknown): error is ToolError {
  return isToolwrightError(error) && 'meta' in error;
}

/** True for a `ProtocolError` of any copy of this package: its text and data may reach the client. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isToolwrightError(error) && 'rpcCode' in error;
}
