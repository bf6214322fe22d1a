import { PostgresError } from '@toolwright/postgres';
import { type DatabaseTable, tablesToolError } from './database-table.js';

/** The classes and codes of SQLSTATE that a caller can do something about: values, rules of the table, and what its triggers say. */
const OF_VALUES = /^(?:22...|23...|P0001|42883)$/;
const TOO_SLOW = '57014';
const DENIED = '42501';

/** An error of the database in words for the model. Core answers any other error with a reference. */
export function explainRefusal(error: unknown, { name }: DatabaseTable): Error {
  if (!(error instanceof PostgresError)) return error as Error;
  const { sqlState = '', reason } = error;
  if (sqlState === TOO_SLOW)
    return tablesToolError(
      'TW_TABLES_SLOW',
      'The database took too long. Ask for less: add conditions, or another order.',
    );
  if (sqlState === DENIED)
    return tablesToolError('TW_TABLES_DENIED', `The database does not let this caller do that with ${name}.`);
  if (sqlState === '42883')
    return tablesToolError('TW_TABLES_VALUE', 'The column cannot be compared in this way. Use another one.');
  return OF_VALUES.test(sqlState)
    ? tablesToolError('TW_TABLES_VALUE', `The database does not take that: ${reason ?? sqlState}.`)
    : error;
}
