import { ToolwrightError } from '@toolwright/core';
import type { AuditErrorCode } from './catalogue.js';

/**
 * The audit log cannot do what was asked. The text contains file names and system errors, so it is for the
 * operator. The pipeline answers the caller with a generic refusal.
 */
export class AuditError extends ToolwrightError {
  constructor(
    readonly code: AuditErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The code and text of the system error in one phrase (`ENOSPC: no space left on device, write`). */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
