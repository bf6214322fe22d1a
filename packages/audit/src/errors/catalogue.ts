/** Every error code of the audit package, with its meaning. docs/errors.md lists the same codes. */
export const auditErrorCatalogue = {
  TW_AUDIT_UNAVAILABLE: 'An audit record could not be made durable; in strict mode the call is refused.',
  TW_AUDIT_TIMEOUT: 'The disk took longer than `strictTimeoutMs` to make a strict audit record durable.',
  TW_AUDIT_CLOSED: 'An audit record came after the sink was closed.',
  TW_AUDIT_OPTIONS: 'An option of the audit log is wrong.',
  TW_AUDIT_NOT_FOUND: 'There is no audit log at the given path.',
} as const;

export type AuditErrorCode = keyof typeof auditErrorCatalogue;
