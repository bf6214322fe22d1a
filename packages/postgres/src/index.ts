export { postgresStores, type PostgresStores, type PostgresStoresOptions } from './postgres-stores.js';
export type { PostgresConnectionOptions } from './connect/connection-options.js';
export type {
  PgliteClient,
  PostgresClient,
  PostgresPool,
  PostgresPoolClient,
} from './connect/connection-options.js';
export { openPglite, type OpenedPglite } from './connect/open-pglite.js';
export { migrate, type MigrateOptions, type MigrationReport } from './schema/migrate.js';
export { migrationSql, type MigrationSqlOptions } from './schema/migrate.js';
export { PostgresError, postgresErrorCatalogue, type PostgresErrorCode } from './errors.js';
export { postgresAuditSink, type PostgresAuditSinkOptions } from './audit/postgres-audit-sink.js';
export { auditTable, type AuditTableOptions } from './audit/read-audit-table.js';
export { compareAudit, type CompareAuditOptions } from './audit/compare-audit.js';
export type { AuditComparison, AuditDifference, AuditDifferences } from './audit/compare-audit.js';
export {
  bridgeNotifications,
  type NotificationBridge,
  type NotificationBridgeOptions,
  type ResourceChange,
} from './bus/notification-bridge.js';
