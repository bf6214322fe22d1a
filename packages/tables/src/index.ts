import './run/service-options.js';

export type { Comparison, RowCondition } from './run/row-conditions.js';
export type { DatabaseColumn, DatabaseTable, ValueKind } from './run/database-table.js';
export type { ListRows, RowPage } from './run/list-rows.js';
export type { Json } from './run/service-options.js';
export { rowQuestion } from './run/row-question.js';
export { TableDatabase, type TableCaller, type TableDatabaseOptions } from './run/table-database.js';
export { TablesError, tablesErrorCatalogue, type TablesErrorCode } from './errors.js';
