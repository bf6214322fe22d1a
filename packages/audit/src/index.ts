export { openAuditSink, type AuditSinkOptions } from './open-audit-sink.js';
export { verifyAudit, type VerifyOptions } from './read/verify/verify-audit.js';
