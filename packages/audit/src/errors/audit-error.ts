import { ToolwrightError } from '@toolwright/core';

/** Every error code of the audit package, with its meaning. docs/errors.md lists the same codes. */
export const auditErrorCatalogue = {
  TW_AUDIT_UNAVAILABLE: 'An audit record could not be made durable; in strict mode the call is refused.',
  TW_AUDIT_TIMEOUT: 'The disk took longer than `strictTimeout` to make a strict audit record durable.',
  TW_AUDIT_CLOSED: 'An audit record came after the sink was closed.',
  TW_AUDIT_OPTIONS: 'An option of the audit log is wrong.',
  TW_AUDIT_NOT_FOUND: 'There is no audit log at the given path.',
} as const;

export type AuditErrorCode = keyof typeof auditErrorCatalogue;

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

export const noLog = (file: string): AuditError =>
  new AuditError('TW_AUDIT_NOT_FOUND', `There is no audit log at ${file}.`);
