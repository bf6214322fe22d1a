export { openAuditSink } from './open-audit-sink.js';
export {
  auditSinkOptions,
  type AuditSinkOptions,
  type RetentionOptions,
  type RotationOptions,
} from './open-audit-sink.js';
export type { ArgumentsDigest, AuditRecord, ResultDigest } from './record.js';
export { digestSubject, digestValue } from './hmac-key.js';
export type { ChainState, SignedStatement } from './chain/statement.js';
export { AuditError } from './errors/audit-error.js';
export { auditErrorCatalogue, type AuditErrorCode } from './errors/audit-error.js';
export type { RecordSink } from './shipping/record-sink.js';
export { jsonlRecordSink, type JsonlRecordSinkOptions } from './shipping/jsonl-record-sink.js';
export { otelLogsSink, type OtelLogsSinkOptions } from './shipping/otel-logs-sink.js';
export { verifyAudit, type VerifyOptions } from './read/verify/verify-audit.js';
export { verifyLogs, type VerifyLogsOptions } from './read/verify/verify-logs.js';
export { readRecord, type OnBroken } from './read/read-since.js';
export type {
  AuditProblem,
  ProblemKind,
  AuditVerdict,
  LogsReport,
  VerifyReport,
  WriterReport,
} from './read/verify/verify-report.js';
export { readShipped, type ShippedOptions, type ShippedRecords } from './read/read-shipped.js';
export { queryAudit } from './read/query-audit.js';
export {
  type AuditLog,
  type AuditSource,
  type LatestRecord,
  type NumberedRecord,
  logFiles,
} from './read/log-sources.js';
export type { OnNote } from './read/merge-records.js';
export type { AuditFilter } from './read/audit-filter.js';
export type { QueryOptions } from './read/query-audit.js';
export { exportAudit, type ExportOptions } from './read/export-audit.js';
export { currentAnchors } from './read/current-anchors.js';
export {
  latestLinks,
  latestRecords,
  type ChainLink,
  type LatestOptions,
  type LatestRecords,
} from './read/latest-records.js';
export { tailAudit, type TailOptions } from './read/tail-audit.js';
export type { ContractHarness } from './contract/record-sink-contract.js';
export { recordSinkContract, type RecordSinkFixture } from './contract/record-sink-contract.js';
export { usageOf, type UsageKey, type UsageOptions, type UsageRow } from './usage/usage-of.js';
export { costsOf, type CostsOptions, type ServerCosts, type ToolCosts } from './costs/costs-of.js';
export type { CostChange } from './costs/changes.js';
export { usageCommand } from './cli/usage-command.js';
export { auditCommands } from './cli/audit-commands.js';
export type { AuditCommand, CommandConsole } from './cli/audit-command.js';
