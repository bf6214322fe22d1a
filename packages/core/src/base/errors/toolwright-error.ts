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
