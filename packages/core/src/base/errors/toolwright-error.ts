import type { ErrorCode } from './catalogue.js';

const BRAND = Symbol.for('toolwright.error');

/**
 * Base of every error Toolwright throws on purpose. `code` is stable and listed in docs/errors.md; the brand makes
 * `isToolwrightError` work across two copies of the package in one process.
 */
export abstract class ToolwrightError extends Error {
  abstract readonly code: ErrorCode | string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** On the prototype: what Node.js prints of an error that nobody caught shows its own members. */
  get [BRAND](): true {
    return true;
  }
}

/** True for errors of this framework, whichever copy of it created them. */
export function isToolwrightError(error: unknown): error is ToolwrightError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
