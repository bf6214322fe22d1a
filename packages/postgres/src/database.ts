// For packages that keep tables of their own in the same database: how this one connects, and stays connected.
export {
  address,
  checkConnections,
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from './connect/connection-options.js';
export type { Database, Query, Row, DatabaseSession } from './connect/database.js';
export { openDatabase, type DatabaseSettings } from './connect/open-database.js';
export { Keeper, type Kept } from './connect/keeper.js';
export { PreparedDatabase, type PreparedDatabaseSettings } from './connect/prepared-database.js';
export { StatementThread, type RepeatedStatement, type StatementAnswer } from './connect/statement-thread.js';
export { Sweeper, type Expiring } from './schema/sweeper.js';
export { prepareTables, scriptOf, type SchemaSettings, type TableSet } from './schema/table-set.js';
export { isAway, PostgresError, toPostgresError } from './errors.js';
