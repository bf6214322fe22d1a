import { Inject, type integer, McpService, McpTool, RateLimit, Token } from '@toolwright/core';
import type { RootedPath } from '@toolwright/safe';
import { DATA_FOLDER } from '../data-folder.js';
import type { Database } from './database.js';
import { loadCsv } from './load-csv.js';

export const DATABASE = new Token<Database>('database');

export interface ImportedTable {
  table: string;
  rows: integer;
  columns: string[];
}

/** Fills the database, so that there is something to explore. */
@McpService()
export class ImportTools {
  constructor(
    @Inject(DATA_FOLDER) private readonly folder: RootedPath,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * Import a CSV file as a new table. Returns its columns and the number of its rows. A tool query_<table> appears.
   * @param filepath path as list_csv_files gives it
   * @param table name of the new table, in small letters
   */
  @McpTool({ name: 'import_csv', annotations: { destructiveHint: false, openWorldHint: false } })
  @RateLimit({ points: 20, per: '1h' })
  async importCsv(
    /** @pattern \.csv$ */ filepath: string,
    /** @pattern ^[a-z][a-z0-9_]{0,39}$ */ table: string,
  ): Promise<ImportedTable> {
    const file = await this.folder.open(filepath);
    return { table, ...(await loadCsv(file, table, this.database)) };
  }
}
