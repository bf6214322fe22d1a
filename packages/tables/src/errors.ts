import { ToolwrightError } from '@toolwright/core';

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const tablesErrorCatalogue = {
  TW_TABLES_CATALOGUE: 'A database cannot be read for an import.',
  TW_TABLES_VALUE: 'The arguments of a call name no row, or have a value that the database does not take.',
  TW_TABLES_DENIED: 'The database, or its row-level security, does not let this caller do that.',
  TW_TABLES_SLOW: 'A statement took longer than the option `timeout` allows.',
  TW_TABLES_ROW_SECURITY: 'A table has row-level security, and the role of the server bypasses it.',
} as const;

export type TablesErrorCode = keyof typeof tablesErrorCatalogue;

/** A database or its role cannot be used. The message has no password, and is for the person who runs the command or the server. */
export class TablesError extends ToolwrightError {
  constructor(
    readonly code: TablesErrorCode,
    message: string,
  ) {
    super(message);
  }
}
